// Draws every template of widgets and activities as the server does, into docs/images/pictures.png: to be looked at after a change of
// a card, a style sheet or a library. Needs a build.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { ACTIVITY_EXAMPLES } from '../console/src/builder/activity-examples.ts'
import { WIDGET_EXAMPLES } from '../console/src/builder/widget-examples.ts'
import { iconNamesOf } from '../src/domain/screens/picture.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { drawingOfName } from '../src/runtime/icon-set.ts'
import { createLog } from '../src/runtime/log.ts'
import { createPictures } from '../src/runtime/pictures/pictures.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const GAP = 16
const SCALE = 1.5

const pictures = createPictures(createLog('warn', 'pretty'), systemClock, { processes: 2, cacheMb: 64 })

const iconsOf = async (content) =>
  Object.fromEntries(
    await Promise.all(iconNamesOf(content).map(async (name) => [name, (await drawingOfName(name)) ?? ''])),
  )

async function draw(shown, size, theme, more = {}) {
  const { content } = shown.widget ?? shown.activity ?? {}
  const look = {
    theme,
    background: 'card',
    corners: 'card',
    layer: 'all',
    hasHole: false,
    colors: 'full',
    dither: 'auto',
    rotate: 0,
  }
  const common = { format: 'png', scale: SCALE, ...look, lang: 'en', tz: 'Europe/Berlin', now: NOW, title: '' }
  const task = { ...common, ...size, ...more, shown, icons: await iconsOf(content) }
  const drawing = { kind: 'widget', task: async () => task }
  const { picture } = await pictures.draw(`${theme}`, JSON.stringify([shown, theme, more]), drawing)
  const { scale } = task
  return { picture, width: picture.readUInt32BE(16) / scale, height: picture.readUInt32BE(20) / scale }
}

const SIZES = { small: [158, 158], medium: [338, 158], rectangular: [172, 76], circular: [76, 76] }

const widgetRow = (example) =>
  Object.entries(SIZES).map(([family, [width, height]]) => {
    const { name, content } = example(NOW)
    const widget = { name, content, updated_at: new Date(NOW).toISOString() }
    return draw({ widget, family }, { width, height }, family === 'medium' ? 'dark' : 'light')
  })

function activityPair(example, theme) {
  const { slug, name, content } = example(NOW)
  return draw({ activity: { slug, name, state: 'ongoing', content }, family: 'card' }, { width: 344 }, theme)
}

const activities = Object.values(ACTIVITY_EXAMPLES).map((example, index) =>
  activityPair(example, index % 4 < 2 ? 'light' : 'dark'),
)
// For displays with few colours, and badges.
const FEW = [
  ['value', '2', { severity: 'critical' }],
  ['trend', '2'],
  ['battery', 'e6'],
  ['schedule', 'bwr'],
]

function onDisplay([template, colors, more]) {
  const { name, content } = WIDGET_EXAMPLES[template](NOW)
  const widget = { name, content: { ...content, ...more }, updated_at: new Date(NOW).toISOString() }
  return draw({ widget, family: 'medium' }, { width: 338, height: 158 }, 'paper', { colors, scale: 1 })
}

const badge = (label, value, color) =>
  draw({ badge: { label, value, color }, family: 'badge' }, { height: 20 }, 'light')
const badges = [
  ['build', 'passing', '#34C759'],
  ['boiler', '63 °C', '#007AFF'],
  ['disk', 'almost full', '#FF3B30'],
].map((words) => badge(...words))

// Other scripts, and emoji.
const LETTERS = [
  ['🎉 Deploy 🚀', '👨‍👩‍👧 🇩🇪 👍🏽', 'Boiler → Tank ✓', 'Ελληνικά, Привет'],
  ['آخر تحديث 12:30', 'שלום (12:30) world', 'हिन्दी में नमस्ते', 'ภาษาไทย น้ำ'],
]

function inLetters([label, ...lines], index) {
  const content = { template: 'stat_list', label, stat_rows: lines.map((line) => ({ label: line, value: '12' })) }
  const widget = { name: label, content, updated_at: new Date(NOW).toISOString() }
  return draw({ widget, family: 'medium' }, { width: 338, height: 158 }, index ? 'dark' : 'light')
}

const rows = [
  ...(await Promise.all(Object.values(WIDGET_EXAMPLES).map((example) => Promise.all(widgetRow(example))))),
  ...inPairs(await Promise.all(activities)),
  ...inPairs(await Promise.all(FEW.map(onDisplay))),
  await Promise.all(LETTERS.map(inLetters)),
  await Promise.all(badges),
]
await pictures.close()

function inPairs(cards) {
  return cards.flatMap((card, index) => (index % 2 ? [] : [[card, ...cards.slice(index + 1, index + 2)]]))
}

let y = GAP
const images = rows.flatMap((row) => {
  let x = GAP
  const placed = row.map(({ picture, width, height }) => {
    const image = `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/png;base64,${picture.toString('base64')}"/>`
    x += width + GAP
    return image
  })
  y += Math.max(...row.map(({ height }) => height)) + GAP
  return placed
})
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="830" height="${y}"><rect width="830" height="${y}" fill="#dcdcd8"/>${images.join('')}</svg>`
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
writeFileSync('docs/images/pictures.png', new Resvg(svg).render().asPng())
