// Timeline template: values over time, with threshold lines.
import type { ActivityContent, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'
import { seriesOf, seriesText } from '../../../../src/domain/screens/activity-glance.ts'
import { clockTimeOf, formatNumber } from '../../../../src/domain/screens/format.ts'
import { areaPath } from '../chart.ts'
import { cssColor } from '../color.ts'
import { useViewer } from '../surroundings.ts'
import type { ActivityFace } from './face.ts'
import { type Drawing, drawTimeline, HEIGHT, WIDTH } from './timeline-drawing.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const viewer = useViewer()
  const names = seriesOf(content)
  const drawing = drawTimeline(content, names)
  return (
    <div class="activity-progress">
      <ul class="legend">
        {names.map((name, index) => (
          <li key={name} style={tintOf(index)}>
            <span class="dot-tint" />
            <span class="legend-name">{name}</span>
            <strong>{seriesText(content, name, viewer)}</strong>
          </li>
        ))}
      </ul>
      {drawing && <Chart drawing={drawing} content={content} />}
    </div>
  )
}

function Chart({ drawing, content }: { drawing: Drawing; content: ActivityContent }) {
  const viewer = useViewer()
  const { lines, thresholds, low, high, from, to } = drawing
  const number = (value: number) => formatNumber(viewer, value, content.decimals)
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ name, path, points }, index) => (
          <g key={name} style={tintOf(index)}>
            {index === 0 && <path class="chart-area" d={areaPath(path, points, HEIGHT)} />}
            <path class="chart-line" d={path} />
          </g>
        ))}
        {thresholds.map(({ value, y, color }) => (
          <line
            key={value}
            class="chart-threshold"
            style={{ '--tint': cssColor(color) ?? cssColor('red') ?? '' }}
            x1="0"
            x2={WIDTH}
            y1={y}
            y2={y}
          />
        ))}
      </svg>
      {thresholds.map(({ value, y, label }) => (
        <span key={value} class="chart-label" style={{ top: `${(y / HEIGHT) * 100}%` }}>
          {label || number(value)}
        </span>
      ))}
      <span class="chart-bound chart-high">{number(high)}</span>
      <span class="chart-bound chart-low">{number(low)}</span>
      <figcaption class="activity-ends">
        <span>{clockTimeOf(viewer, from * 1000)}</span>
        <span>{clockTimeOf(viewer, to * 1000)}</span>
      </figcaption>
    </figure>
  )
}

const SERIES_COLORS = ['orange', 'purple', 'green', 'pink', 'teal', 'brown', 'indigo', 'mint', 'red']

// The first series has the colour of the card.
const tintOf = (index: number): Record<string, string> =>
  index === 0 ? {} : { '--tint': cssColor(SERIES_COLORS[index - 1]) ?? '' }

export const timeline: ActivityFace = { Body }
