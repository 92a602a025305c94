// Numbers of the chart: for each day the parts of its bar, one for each of the largest sources and one for all others.
import type { UsageView } from '../../../src/contract/accounts/usage.ts'

// `name`: undefined for the rest.
export type Series = { name: string | undefined; color: number; sent: number; byDay: readonly number[] }
export type BarPart = { color: number; from: number; to: number }
export type Bar = { day: string; sent: number; parts: BarPart[] }

const SERIES = 6
export const REST_COLOR = SERIES

// The largest sources, and the sum of the others as the last one.
export function seriesOf({ sources, days }: Pick<UsageView, 'sources' | 'days'>): Series[] {
  const named = sources.filter(({ source }) => source !== undefined)
  const shown = named.slice(0, SERIES).map(({ source, sent, by_day }, color) => ({
    name: source,
    color,
    sent,
    byDay: by_day,
  }))
  const rest = sources.filter(({ source }) => source === undefined || !shown.some(({ name }) => name === source))
  if (rest.length === 0) return shown
  const byDay = days.map((_, day) => rest.reduce((sum, { by_day }) => sum + (by_day[day] ?? 0), 0))
  const sent = byDay.reduce((sum, count) => sum + count, 0)
  return [...shown, { name: undefined, color: REST_COLOR, sent, byDay }]
}

export function barsOf(days: UsageView['days'], series: readonly Series[]): Bar[] {
  return days.map(({ day }, index) => {
    const parts: BarPart[] = []
    let height = 0
    for (const { color, byDay } of series) {
      const count = byDay[index] ?? 0
      if (count === 0) continue
      parts.push({ color, from: height, to: height + count })
      height += count
    }
    return { day, sent: height, parts }
  })
}

// The top of the axis: 1, 2 or 5 times a power of ten.
export function roundedTop(largest: number): number {
  if (largest <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= largest) as number
}
