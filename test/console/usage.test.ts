// The numbers of the usage chart.
import { describe, expect, test } from 'vitest'
import { barsOf, roundedTop, seriesOf } from '../../console/src/usage/stack.ts'

const day = (name: string) => ({ day: name, sent: 0, muted: 0, held: 0, refused: 0 })
const days = [day('2026-11-14'), day('2026-11-15')]
const source = (name: string | undefined, ...by_day: number[]) => ({
  source: name,
  sent: by_day.reduce((sum, count) => sum + count, 0),
  by_day,
})

describe('the bars of the usage chart', () => {
  test('stand on each other in the order of the sources, and days without a message are empty', () => {
    const series = seriesOf({ days, sources: [source('ci', 0, 3), source('nas', 0, 1)] })
    expect(series.map(({ name }) => name)).toEqual(['ci', 'nas'])
    expect(barsOf(days, series)).toEqual([
      { day: '2026-11-14', sent: 0, parts: [] },
      {
        day: '2026-11-15',
        sent: 4,
        parts: [
          { color: 0, from: 0, to: 3 },
          { color: 1, from: 3, to: 4 },
        ],
      },
    ])
  })

  test('add up the sources beyond the sixth, and those without a name, as the last part', () => {
    const many = Array.from({ length: 8 }, (_, n) => source(`s${n}`, 0, 10 - n))
    const series = seriesOf({ days, sources: [...many, source(undefined, 5, 0)] })
    expect(series).toHaveLength(7)
    expect(series.at(-1)).toEqual({ name: undefined, color: 6, sent: 12, byDay: [5, 7] })
  })

  test.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [10, 10],
    [11, 20],
    [501, 1000],
  ])('have room for %i below %i', (largest, top) => {
    expect(roundedTop(largest)).toBe(top)
  })
})
