// Send times in the clock of their time zone, with clock changes marked.
import { expect, test } from 'vitest'
import { withClockChanges } from '../../console/src/schedules/clock-changes.ts'

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
