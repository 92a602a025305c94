// Schedule template: a value per period, such as a price. The current one is shown large, all of them as bars.
import { clockTimeOf, formatNumber } from '../../../../src/domain/screens/format.ts'
import type { Viewer } from '../../../../src/domain/screens/viewer.ts'
import { currentPeriod, NO_DATA, type Period } from '../../../../src/domain/screens/widget-glance.ts'
import { boundsOf, linearScale } from '../chart.ts'
import { cssColor } from '../color.ts'
import { Figure } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'

const LEVEL_COLORS = { low: 'green', medium: 'orange', high: 'red' } as const
const SHOWN_NEXT = 4

function Body({ content: { periods = [], unit }, family }: FaceProps) {
  const viewer = useViewer()
  const current = currentPeriod(periods, viewer)
  const [period, next] = [periods[current], periods[current + 1]]
  return (
    <div class="face-schedule">
      <div class="schedule-head">
        <Figure text={period ? formatNumber(viewer, period.value) : NO_DATA} unit={unit} />
        {family !== 'small' && next && <span class="face-note">{viewer.words.until(hourOf(next, viewer))}</span>}
      </div>
      <Bars periods={periods} current={current} />
      {family !== 'small' && periods.length > 1 && (
        <div class="schedule-ends">
          <span>{hourOf(periods[0] as Period, viewer)}</span>
          <span>{hourOf(periods.at(-1) as Period, viewer)}</span>
        </div>
      )}
      {family === 'large' && <Upcoming periods={periods.slice(current + 1, current + 1 + SHOWN_NEXT)} unit={unit} />}
    </div>
  )
}

function Bars({ periods, current }: { periods: Period[]; current: number }) {
  const [low, high] = boundsOf([0, ...periods.map(({ value }) => value)])
  const height = linearScale([low, high], [0, 100])
  return (
    <div class="bars" aria-hidden="true">
      {periods.map((period, index) => (
        <span
          key={period.start}
          class={index === current ? 'bar-now' : index < current ? 'bar-past' : ''}
          style={{
            '--foot': `${Math.min(height(0), height(period.value))}%`,
            '--tall': `${Math.max(Math.abs(height(period.value) - height(0)), 3)}%`,
            ...tintOf(period),
          }}
        />
      ))}
    </div>
  )
}

function Upcoming({ periods, unit }: { periods: Period[]; unit?: string }) {
  const viewer = useViewer()
  return (
    <dl class="stat-rows">
      {periods.map((period) => (
        <div key={period.start}>
          <dt>
            <span class="dot-tint" style={tintOf(period)} />
            {hourOf(period, viewer)}
            {period.level && <span class="hidden"> {viewer.words.levels[period.level]}</span>}
          </dt>
          <dd>
            {formatNumber(viewer, period.value)}
            {unit && <small>{unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const tintOf = ({ level }: Period): Record<string, string> =>
  level ? { '--tint': cssColor(LEVEL_COLORS[level]) ?? '' } : {}

const hourOf = ({ start }: Period, viewer: Viewer): string => clockTimeOf(viewer, Date.parse(start))

export const schedule: WidgetFace = { Body }
