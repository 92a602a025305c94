// When it is quiet: windows by the wall clock, across midnight and changes of daylight saving time, and until a time.
import { describe, expect, test } from 'vitest'
import { type QuietWindow, WEEKDAYS } from '../../../src/contract/holds.ts'
import { NO_QUIET_HOURS, type QuietHours, quietUntil } from '../../../src/domain/holds/quiet-hours.ts'
import { fromRfc3339, toRfc3339 } from '../../../src/domain/instant.ts'

const EVERY_DAY = [...WEEKDAYS]
const hours = (windows: QuietWindow[], members: Partial<QuietHours> = {}): QuietHours => ({
  ...NO_QUIET_HOURS,
  timezone: 'Europe/Berlin',
  windows,
  ...members,
})
const night = hours([{ days: EVERY_DAY, from: '22:00', to: '07:00' }])
const endOf = (quiet: QuietHours, now: string): string | undefined => {
  const until = quietUntil(quiet, fromRfc3339(now))
  return until && toRfc3339(until).replace('.000', '')
}

describe('a window', () => {
  test.each([
    ['before it begins', '2026-11-16T20:59:59Z', undefined],
    ['when it begins', '2026-11-16T21:00:00Z', '2026-11-17T06:00:00Z'],
    ['after midnight', '2026-11-17T03:00:00Z', '2026-11-17T06:00:00Z'],
    ['in its last second', '2026-11-17T05:59:59Z', '2026-11-17T06:00:00Z'],
    ['when it has ended', '2026-11-17T06:00:00Z', undefined],
  ])('%s', (_, now, end) => {
    expect(endOf(night, now)).toBe(end)
  })

  test('begins on its days only, and ends the next day', () => {
    const friday = hours([{ days: ['fri'], from: '23:00', to: '09:00' }])
    expect(endOf(friday, '2026-11-20T22:30:00Z')).toBe('2026-11-21T08:00:00Z')
    expect(endOf(friday, '2026-11-21T07:00:00Z')).toBe('2026-11-21T08:00:00Z')
    expect(endOf(friday, '2026-11-21T22:30:00Z')).toBeUndefined()
    expect(endOf(friday, '2026-11-20T07:00:00Z')).toBeUndefined()
  })

  test('lasts a day if its end is its beginning', () => {
    const sunday = hours([{ days: ['sun'], from: '00:00', to: '00:00' }])
    expect(endOf(sunday, '2026-11-21T23:00:00Z')).toBe('2026-11-22T23:00:00Z')
    expect(endOf(sunday, '2026-11-22T23:00:00Z')).toBeUndefined()
  })
})

describe('windows together', () => {
  test('that overlap or touch end with the last of them', () => {
    const weekend = hours([
      { days: ['fri'], from: '20:00', to: '00:00' },
      { days: ['sat', 'sun'], from: '00:00', to: '00:00' },
      { days: ['sat'], from: '12:00', to: '13:00' },
    ])
    expect(endOf(weekend, '2026-11-20T20:00:00Z')).toBe('2026-11-22T23:00:00Z')
  })

  test('of a whole week are quiet for days, and the search for their end is bounded', () => {
    const always = hours([{ days: EVERY_DAY, from: '00:00', to: '00:00' }])
    expect(quietUntil(always, fromRfc3339('2026-11-20T12:00:00Z'))).toBeGreaterThan(fromRfc3339('2026-11-27T12:00:00Z'))
  })
})

// Berlin: clocks go forward from 02:00 to 03:00 on 29 March 2026, and back from 03:00 to 02:00 on 25 October 2026.
describe('changes of daylight saving time', () => {
  test('the night keeps its wall-clock times: an hour shorter in spring, an hour longer in autumn', () => {
    expect(endOf(night, '2026-03-28T21:00:00Z')).toBe('2026-03-29T05:00:00Z')
    expect(endOf(night, '2026-10-24T20:00:00Z')).toBe('2026-10-25T06:00:00Z')
  })

  test('an end that is skipped is the end of the gap; one that comes twice is the first', () => {
    const untilHalfPastTwo = hours([{ days: EVERY_DAY, from: '22:00', to: '02:30' }])
    expect(endOf(untilHalfPastTwo, '2026-03-29T00:30:00Z')).toBe('2026-03-29T01:00:00Z')
    expect(endOf(untilHalfPastTwo, '2026-10-25T00:00:00Z')).toBe('2026-10-25T00:30:00Z')
    expect(endOf(untilHalfPastTwo, '2026-10-25T00:45:00Z')).toBeUndefined()
  })

  test('a window within the gap does not come', () => {
    const within = hours([{ days: EVERY_DAY, from: '02:10', to: '02:50' }])
    expect(endOf(within, '2026-03-29T01:00:00Z')).toBeUndefined()
    expect(endOf(within, '2026-03-30T00:10:00Z')).toBe('2026-03-30T00:50:00Z')
  })
})

describe('do not disturb until', () => {
  const until = (time: string) => hours(night.windows as QuietWindow[], { until: fromRfc3339(time) })

  test('is quiet until then, without windows too', () => {
    expect(endOf({ ...NO_QUIET_HOURS, until: fromRfc3339('2026-11-16T15:00:00Z') }, '2026-11-16T12:00:00Z')).toBe(
      '2026-11-16T15:00:00Z',
    )
    expect(endOf(until('2026-11-16T15:00:00Z'), '2026-11-16T15:00:00Z')).toBeUndefined()
  })

  test('goes on with the window in which it ends, and shortens none', () => {
    expect(endOf(until('2026-11-16T23:00:00Z'), '2026-11-16T12:00:00Z')).toBe('2026-11-17T06:00:00Z')
    expect(endOf(until('2026-11-17T01:00:00Z'), '2026-11-17T00:00:00Z')).toBe('2026-11-17T06:00:00Z')
  })
})
