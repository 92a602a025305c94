// When retention trusts the clock.
import { describe, expect, test } from 'vitest'
import { fromRfc3339, type Instant, plusSeconds } from '../../src/domain/instant.ts'
import { isTrusted, nextRetentionClock } from '../../src/domain/retention-clock.ts'

const START = fromRfc3339('2026-11-15T12:00:00Z')
const HOUR = 1 / 24

// Whether each run trusts the clock, with these gaps in days before the runs.
function runs(...gaps: number[]): boolean[] {
  let clock = nextRetentionClock(undefined, START)
  let now: Instant = START
  return gaps.map((days) => {
    now = plusSeconds(now, days * 86_400)
    clock = nextRetentionClock(clock, now)
    return isTrusted(clock, now)
  })
}

describe('the clock of retention', () => {
  test('is trusted on the first run and on hourly ones', () => {
    expect(isTrusted(nextRetentionClock(undefined, START), START)).toBe(true)
    expect(runs(HOUR, HOUR, HOUR)).toEqual([true, true, true])
  })

  test.each([1, 7, 31, 35])('is trusted after a shutdown of %i days', (days) => {
    expect(runs(HOUR, days, HOUR)).toEqual([true, true, true])
  })

  test.each([36, 3650, -1.5, -3650])('is not trusted for a day after a jump of %f days', (days) => {
    expect(runs(days, HOUR, 0.9, HOUR, HOUR)).toEqual([false, false, false, false, true])
  })

  test('is not trusted for another day after each further jump', () => {
    expect(runs(3650, -3650, 0.5, 0.6)).toEqual([false, false, false, true])
  })

  test('is trusted when it is set back by up to a day', () => {
    expect(runs(2, -1, HOUR)).toEqual([true, true, true])
  })
})
