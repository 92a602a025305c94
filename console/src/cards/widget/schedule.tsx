// Schedule template: a value per period, such as a price. The current one is shown large, all of them as bars.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { CARD_TEXTS } from '../../texts/cards.ts'
import { clockTime, now } from '../../ui/time.tsx'
import { boundsOf, linearScale } from '../chart.ts'
import { cssColor } from '../color.ts'
import { formatNumber, fractionOf, withUnit } from '../format.ts'
import { Figure } from '../shapes.tsx'
import type { FaceProps, WidgetFace } from './face.ts'

type Period = NonNullable<WidgetContent['periods']>[number]

const LEVEL_COLORS = { low: 'green', medium: 'orange', high: 'red' } as const
const SHOWN_NEXT = 4

function Body({ content: { periods = [], unit }, family }: FaceProps) {
  const current = currentIndex(periods)
  const [period, next] = [periods[current], periods[current + 1]]
  return (
    <div class="face-schedule">
      <div class="schedule-head">
        <Figure text={period ? formatNumber(period.value) : '–'} unit={unit} />
        {family !== 'small' && next && <span class="face-note">{CARD_TEXTS.until(hourOf(next))}</span>}
      </div>
      <Bars periods={periods} current={current} />
      {family !== 'small' && periods.length > 1 && (
        <div class="schedule-ends">
          <span>{hourOf(periods[0] as Period)}</span>
          <span>{hourOf(periods.at(-1) as Period)}</span>
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
  return (
    <dl class="stat-rows">
      {periods.map((period) => (
        <div key={period.start}>
          <dt>
            <span class="dot-tint" style={tintOf(period)} />
            {hourOf(period)}
            {period.level && <span class="hidden"> {CARD_TEXTS.levels[period.level]}</span>}
          </dt>
          <dd>
            {formatNumber(period.value)}
            {unit && <small>{unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const tintOf = ({ level }: Period): Record<string, string> =>
  level ? { '--tint': cssColor(LEVEL_COLORS[level]) ?? '' } : {}

const hourOf = ({ start }: Period): string => clockTime.format(new Date(start))

// The latest period that has begun, or the first one if none has.
const currentIndex = (periods: Period[]): number =>
  Math.max(
    periods.findLastIndex(({ start }) => Date.parse(start) <= now.value),
    0,
  )

export const schedule: WidgetFace = {
  color: 'purple',
  Body,
  glance: ({ periods = [], unit }) => {
    const current = currentIndex(periods)
    const [period, next] = [periods[current], periods[current + 1]]
    if (!period) return { text: '–' }
    const [low, high] = boundsOf(periods.map(({ value }) => value))
    return {
      text: withUnit(formatNumber(period.value), unit),
      fraction: fractionOf(period.value, low, high),
      ...(next && { detail: CARD_TEXTS.until(hourOf(next)) }),
    }
  },
}
