// Times in texts and pictures, which have no seconds, and when they change next.
import { describe, expect, test } from 'vitest'
import { nextStepOf, timeLeft, timePassed } from '../../../src/domain/screens/duration.ts'
import { activityValidUntil, widgetValidUntil } from '../../../src/domain/screens/validity.ts'
import { stillViewer } from '../../../src/domain/screens/viewer.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const viewer = stillViewer('en', undefined, NOW)
const HOUR = 3600
const DAY = 24 * HOUR

test.each([
  [2 * HOUR + 14 * 60, '2 h 14 min'],
  [2 * HOUR + 13 * 60 + 1, '2 h 14 min'],
  [14 * 60, '14 min'],
  [60, '< 1 min'],
  [1, '< 1 min'],
  [DAY, '1 d'],
  [2 * DAY + 2 * HOUR + 1, '2 d 3 h'],
])('%d seconds ahead are "%s"', (seconds, text) => {
  expect(timeLeft(viewer, seconds)).toBe(text)
})

test.each([
  [59, '< 1 min'],
  [119, '1 min'],
  [DAY - 1, '23 h 59 min'],
  [2 * DAY + 3 * HOUR + 59 * 60, '2 d 3 h'],
])('%d seconds ago are "%s"', (seconds, text) => {
  expect(timePassed(viewer, seconds)).toBe(text)
})

describe('the next step', () => {
  const textAt = (date: number, at: number) =>
    date > at ? timeLeft(viewer, (date - at) / 1000) : timePassed(viewer, (at - date) / 1000)

  test.each([90, 61, 8040, DAY, DAY + 1, 3 * DAY, -1, -59, -61, -DAY, -DAY + 1, -3 * DAY])(
    'of a date %d seconds from now is when its text changes, and not before',
    (seconds) => {
      const date = NOW + seconds * 1000
      const next = nextStepOf(date, NOW)
      expect(next).toBeGreaterThan(NOW)
      expect(textAt(date, next - 1)).toBe(textAt(date, NOW))
      // The last step of a countdown is its end.
      if (next !== date) expect(textAt(date, next)).not.toBe(textAt(date, NOW))
    },
  )

  test('is the earliest of a widget’s timers, its end, its period and its staleness', () => {
    const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
    const updated_at = at(-30)
    const until = (content: object, stale_after?: number) =>
      widgetValidUntil({ content: content as never, updated_at, stale_after }, NOW)
    expect(until({ template: 'value', value: 1 })).toBeUndefined()
    expect(until({ template: 'countdown', end_date: at(90) })).toBe(NOW + 30_000)
    expect(until({ template: 'countdown', end_date: at(-90) })).toBeUndefined()
    expect(
      until({ template: 'schedule', periods: [at(-9), at(20), at(40)].map((start) => ({ start, value: 1 })) }),
    ).toBe(NOW + 20_000)
    expect(until({ template: 'progress', start_date: at(-10_000), end_date: at(10_000) })).toBe(NOW + 100_000)
    expect(until({ template: 'progress', start_date: at(-10), end_date: at(10) })).toBe(NOW + 10_000)
    expect(until({ template: 'value', value: 1 }, 60)).toBe(NOW + 30_001)
    expect(until({ template: 'value', subtitle_timer: { date: at(-70) } }, 60)).toBe(NOW + 30_001)
    expect(activityValidUntil({ template: 'countdown', end_date: NOW / 1000 + 90 }, NOW)).toBe(NOW + 30_000)
    expect(activityValidUntil({ template: 'generic', progress: 0.5 }, NOW)).toBeUndefined()
  })
})
