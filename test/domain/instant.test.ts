// R09: calendar arithmetic is in UTC, whatever the time zone of the machine.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  fromRfc3339,
  instant,
  later,
  plusSeconds,
  startOfNextDay,
  startOfNextMonth,
  toRfc3339,
  yearMonth,
  yearMonthDay,
} from '../../src/domain/instant.ts'

const ZONES: [zone: string, offsetMinutes: number][] = [
  ['UTC', 0],
  ['Pacific/Kiritimati', -840],
  ['Pacific/Midway', 660],
]

describe.each(ZONES)('R09: on a machine in %s', (zone, offsetMinutes) => {
  beforeEach(() => void vi.stubEnv('TZ', zone))
  afterEach(() => void vi.unstubAllEnvs())

  test('the time zone is in effect, without which the tests below prove nothing', () => {
    expect(new Date('2026-11-15T12:00:00Z').getTimezoneOffset()).toBe(offsetMinutes)
  })

  test.each([
    ['2026-11-15T08:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['2028-01-31T12:00:00.000Z', '2028-02-01T00:00:00.000Z'],
  ])('the month of %s ends at %s', (now, end) => {
    expect(toRfc3339(startOfNextMonth(fromRfc3339(now)))).toBe(end)
  })

  test.each([
    ['2026-11-15T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
    ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
    ['2028-02-28T12:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    ['2026-12-31T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ])('the day of %s ends at %s', (now, end) => {
    expect(toRfc3339(startOfNextDay(fromRfc3339(now)))).toBe(end)
  })

  test('months and days are numbered by UTC', () => {
    expect(yearMonth(fromRfc3339('2026-12-31T23:59:59.999Z'))).toBe(202612)
    expect(yearMonth(fromRfc3339('2027-01-01T00:00:00Z'))).toBe(202701)
    expect(yearMonthDay(fromRfc3339('2026-11-05T23:59:59Z'))).toBe(20261105)
  })
})

const anyInstant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => instant(date.getTime()))

describe('for any instant', () => {
  test('its text is parsed to the same instant', () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        expect(fromRfc3339(toRfc3339(at))).toBe(at)
      }),
    )
  })

  test('the next month and day start later, and the instant before each belongs to the current one', () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        expect(startOfNextMonth(at)).toBeGreaterThan(at)
        expect(startOfNextDay(at)).toBeGreaterThan(at)
        expect(yearMonth(instant(startOfNextMonth(at) - 1))).toBe(yearMonth(at))
        expect(yearMonthDay(instant(startOfNextDay(at) - 1))).toBe(yearMonthDay(at))
        expect(yearMonthDay(startOfNextDay(at))).toBeGreaterThan(yearMonthDay(at))
      }),
    )
  })
})

test('any offset is parsed, and written as UTC', () => {
  expect(toRfc3339(fromRfc3339('2026-11-15T08:00:00+05:30'))).toBe('2026-11-15T02:30:00.000Z')
})

test('plusSeconds adds seconds, later picks the later instant', () => {
  expect(plusSeconds(instant(1000), 2)).toBe(3000)
  expect(later(instant(1), instant(2))).toBe(2)
  expect(later(instant(2), instant(1))).toBe(2)
})
