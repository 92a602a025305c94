// Send times in the clock of their time zone, with clock changes marked; patterns of a series without cron.
import { describe, expect, test } from 'vitest'
import { withClockChanges } from '../../console/src/schedules/clock-changes.ts'
import { cronOf, patternOf, zoneInWords } from '../../console/src/schedules/pattern.ts'
import { SCHEDULE_TEXTS } from '../../console/src/texts/schedules.ts'

test('the local time stays the same over a clock change in Berlin, and the day of the change is marked', () => {
  const times = ['2027-03-27T07:00:00Z', '2027-03-28T06:00:00Z', '2027-03-29T06:00:00Z']
  expect(
    withClockChanges(times, 'Europe/Berlin').map(({ time, offset, hasChanged }) => [time, offset, hasChanged]),
  ).toEqual([
    ['08:00', 'GMT+01:00', false],
    ['08:00', 'GMT+02:00', true],
    ['08:00', 'GMT+02:00', false],
  ])
})

test('midnight is written as 00', () => {
  expect(withClockChanges(['2026-11-15T00:00:00Z'], 'UTC')[0]).toMatchObject({
    time: '00:00',
    day: 'Sun, Nov 15, 2026',
  })
})

describe('the pattern of a series', () => {
  const inWords = (cron: string) => SCHEDULE_TEXTS.patternInWords(patternOf(cron))

  test.each([
    ['20 9 * * *', 'Every day at 09:20'],
    ['@daily', 'Every day at 00:00'],
    ['0 8 * * 0-6', 'Every day at 08:00'],
    ['20 9 * * 1-5', 'Weekdays at 09:20'],
    ['20 9 * * MON,tue,3-5', 'Weekdays at 09:20'],
    ['0 19 * * TUE', 'Tuesdays at 19:00'],
    ['0 19 * * 6,7', 'Sundays, Saturdays at 19:00'],
    ['5 7 31 * *', 'Day 31 of every month at 07:05'],
    ['@monthly', 'Day 1 of every month at 00:00'],
  ])('%s is “%s”', (cron, words) => {
    expect(inWords(cron)).toBe(words)
    expect(inWords(cronOf(patternOf(cron)))).toBe(words)
  })

  test.each([
    '*/5 * * * *',
    '0 8 * 1 *',
    '0 8 1 * MON',
    '0 8 * * MON#1',
    '0 25 * * *',
    '0 8 0 * *',
    'every monday',
    '',
  ])('%s stays a cron expression', (cron) => {
    expect(patternOf(cron).kind).toBe('custom')
    expect(cronOf(patternOf(cron))).toBe(cron)
  })

  test('a time zone is named by its city', () => {
    expect(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'].map(zoneInWords)).toEqual([
      'Berlin',
      'Buenos Aires',
      'UTC',
    ])
  })
})
