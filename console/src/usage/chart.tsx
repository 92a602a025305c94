// Thirty days as stacked bars, one colour for each of the largest sources. The tables of the page hold the same numbers.
import type { UsageView } from '../../../src/contract/accounts/usage.ts'
import { USAGE_TEXTS } from '../texts/usage.ts'
import { dayOfYear } from '../ui/time.tsx'
import { type Bar, barsOf, roundedTop, type Series } from './stack.ts'

const WIDTH = 600
const HEIGHT = 160
// The share of a day's width that its bar takes.
const BAR_SHARE = 0.72

export function UsageChart({ days, series }: { days: UsageView['days']; series: Series[] }) {
  const bars = barsOf(days, series)
  const top = roundedTop(Math.max(...bars.map(({ sent }) => sent)))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure class="usage-chart">
      <span class="usage-top" aria-hidden="true">
        {top}
      </span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={USAGE_TEXTS.chartLabel}>
        <path class="usage-lines" d={`M0 .5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {bars.map((bar, index) => (
          <DayBar key={bar.day} bar={bar} left={(index * WIDTH) / bars.length} width={WIDTH / bars.length} top={top} />
        ))}
      </svg>
      <p class="usage-ends" aria-hidden="true">
        <span>{first && dayOfYear(first.day)}</span>
        <span>{last && dayOfYear(last.day)}</span>
      </p>
    </figure>
  )
}

type BarProps = { bar: Bar; left: number; width: number; top: number }

function DayBar({ bar, left, width, top }: BarProps) {
  const y = (count: number) => HEIGHT - (count / top) * HEIGHT
  return (
    <g>
      <title>{USAGE_TEXTS.bar(dayOfYear(bar.day), bar.sent)}</title>
      <rect class="usage-day" x={left} y={0} width={width} height={HEIGHT} />
      {bar.parts.map(({ color, from, to }) => (
        <rect
          key={color}
          class={`usage-color-${color}`}
          x={left + (width * (1 - BAR_SHARE)) / 2}
          y={y(to)}
          width={width * BAR_SHARE}
          height={y(from) - y(to)}
        />
      ))}
    </g>
  )
}
