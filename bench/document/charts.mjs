// The drawings of docs/performance.md. Colours in the file are for sites that show it as a picture, on a white ground; the
// documentation site replaces them by the classes (scripts/docs-site/browser/prose.css).

const WIDTH = 740
const INK = '#1b1c1f'
const SOFT = '#595b61'
const SERIES = { SQLite: ['series-1', '#2a4fc4'], PostgreSQL: ['series-2', '#df7c0b'], bare: ['series-3', '#85868b'] }
const LINES = [
  ['line-1', '#2a4fc4'],
  ['line-2', '#df7c0b'],
  ['line-3', '#1d6b3a'],
]

export function drawCharts({ rates, growth }) {
  return {
    'performance-rates.svg': drawBars('Rate as a ratio to a bare Fastify route', ratioGroups(rates), {
      ...{
        ticks: ticksUpTo(Math.max(1, ...rates.flatMap(({ results }) => results.map(({ most }) => most)))),
        names: ['SQLite', 'PostgreSQL'],
        note: 'line: from the slowest to the fastest round',
      },
    }),
    'performance-cpu.svg': drawBars('CPU time of a request in microseconds', cpuGroups(rates), {
      ticks: ticksUpTo(Math.max(...rates.flatMap(({ results }) => results.map(totalMicros)))),
      ...{ names: ['bare', 'SQLite', 'PostgreSQL'], note: 'pale: in the database' },
    }),
    'performance-growth.svg': drawGrowth(growth),
  }
}

const totalMicros = ({ cpuMicros, databaseMicros }) => cpuMicros + databaseMicros

const ratioGroups = (rates) =>
  rates.map(({ title, results }) => ({
    title,
    bars: results
      .filter(({ name }) => name !== 'bare')
      .map(({ name, ratio, least, most }) => ({
        ...{ name, parts: [ratio], range: [least, most], label: ratio.toFixed(2) },
      })),
  }))

const cpuGroups = (rates) =>
  rates.map(({ title, results }) => ({
    title,
    bars: results.map((result) => ({
      ...{
        name: result.name,
        parts: [result.cpuMicros, result.databaseMicros],
        label: totalMicros(result).toLocaleString('en'),
      },
    })),
  }))

const LEFT = 250
const RIGHT = 50
const TOP = 58
const BAR = 13

// Groups of horizontal bars, one below the other.
function drawBars(title, groups, { ticks, names, note }) {
  const most = ticks.at(-1)
  const groupHeight = groups[0].bars.length * BAR + 14
  const bottom = TOP + groups.length * groupHeight
  const x = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * value) / most
  const grid = ticks.map((tick) => {
    const at = x(tick).toFixed(1)
    return `<path class="grid" d="M${at} ${TOP - 6}V${bottom}" fill="none" stroke="#d6d6d2"/>
${text(at, bottom + 18, tick.toLocaleString('en'), { soft: true, anchor: 'middle' })}`
  })
  const drawn = groups.map((group, index) => drawGroup(group, TOP + index * groupHeight, groupHeight, x))
  return svg(title, bottom + 30, [...legend(names, note), ...grid, ...drawn])
}

function drawGroup({ title, bars }, top, height, x) {
  const label = text(LEFT - 12, top + height / 2 - 2, title, { anchor: 'end' })
  return [label, ...bars.map((bar, index) => drawBar(bar, top + index * BAR, x))].join('\n')
}

function drawBar({ name, parts, range, label }, top, x) {
  const [className, colour] = SERIES[name]
  let sum = 0
  const rects = parts.map((part, index) => {
    const from = x(sum)
    sum += part
    const width = Math.max(0, x(sum) - from).toFixed(1)
    const opacity = index === 0 ? '' : ' fill-opacity="0.5"'
    return `<rect class="${className}" x="${from.toFixed(1)}" y="${top}" width="${width}" height="${BAR - 2}" fill="${colour}"${opacity}/>`
  })
  const [least, end] = range ?? [sum, sum]
  const middle = top + (BAR - 2) / 2
  if (range) {
    const line = `M${x(least).toFixed(1)} ${middle}H${x(end).toFixed(1)}`
    rects.push(`<path class="range" d="${line}" fill="none" stroke="${INK}" stroke-width="1.5"/>`)
  }
  return [...rects, text(x(Math.max(sum, end)) + 5, top + 10, label, { soft: true })].join('\n')
}

function legend(names, note) {
  const items = names.map((name, index) => {
    const [className, colour] = SERIES[name]
    const left = LEFT + index * 105
    const square = `<rect class="${className}" x="${left}" y="26" width="12" height="12" fill="${colour}"/>`
    return `${square}\n${text(left + 18, 37, name === 'bare' ? 'bare route' : name, { soft: true })}`
  })
  return [...items, text(LEFT + names.length * 105, 37, note, { soft: true })]
}

const PLOT = { left: 60, right: 250, top: 44, bottom: 244 }

// Milliseconds over the number of stored notifications, which grows tenfold from point to point.
function drawGrowth({ counts, times }) {
  const ticks = ticksUpTo(Math.max(...times.flatMap(({ ms }) => ms)))
  const x = (index) => PLOT.left + ((WIDTH - PLOT.left - PLOT.right) * index) / (counts.length - 1)
  const y = (ms) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * ms) / ticks.at(-1)
  const grid = ticks.map((tick) => {
    const line = `<path class="grid" d="M${PLOT.left} ${y(tick).toFixed(1)}H${WIDTH - PLOT.right}" fill="none" stroke="#d6d6d2"/>`
    return `${line}\n${text(PLOT.left - 8, y(tick) + 4, String(tick), { soft: true, anchor: 'end' })}`
  })
  const axis = counts.map((count, index) =>
    text(x(index), PLOT.bottom + 20, count.toLocaleString('en'), { soft: true, anchor: 'middle' }),
  )
  const labels = spreadOut(times.map(({ ms }) => y(ms.at(-1)) + 4))
  const lines = times.map(({ name, ms }, index) => {
    const [className, colour] = LINES[index]
    const points = ms.map((one, at) => `${x(at).toFixed(1)},${y(one).toFixed(1)}`).join(' ')
    const line = `<polyline class="${className}" points="${points}" fill="none" stroke="${colour}" stroke-width="2.5"/>`
    const swatch = `<path class="${className}" d="M${WIDTH - PLOT.right + 8} ${labels[index] - 4}h12" fill="none" stroke="${colour}" stroke-width="2.5"/>`
    return `${line}\n${swatch}\n${text(WIDTH - PLOT.right + 26, labels[index], name, {})}`
  })
  return svg('Milliseconds of a request by the number of stored notifications', 280, [...grid, ...axis, ...lines])
}

const LABEL_HEIGHT = 18

// Heights near the given ones at which labels do not cover each other.
function spreadOut(heights) {
  const inOrder = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height)
  let next = Number.NEGATIVE_INFINITY
  for (const one of inOrder) {
    one.height = Math.max(one.height, next)
    next = one.height + LABEL_HEIGHT
  }
  return heights.map((_, index) => inOrder.find((one) => one.index === index).height)
}

// From 0 in four to six steps of 1, 2, 2.5 or 5 times a power of ten.
function ticksUpTo(most) {
  const power = 10 ** Math.floor(Math.log10(most))
  const step = [0.1, 0.2, 0.25, 0.5, 1, 2].map((factor) => factor * power).find((size) => most / size <= 5)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)))
}

function svg(title, height, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
<rect class="ground" width="${WIDTH}" height="${height}" rx="10" fill="#ffffff"/>
${text(12, 20, title, {})}
${parts.join('\n')}
</svg>
`
}

function text(x, y, content, { soft = false, anchor = 'start' }) {
  const at = `x="${Number(x).toFixed(1)}" y="${y.toFixed(1)}"`
  const look = soft ? `class="soft" fill="${SOFT}" font-size="12"` : `fill="${INK}"`
  return `<text ${at} ${look} text-anchor="${anchor}">${content}</text>`
}
