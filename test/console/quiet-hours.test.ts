// Quiet hours in the console: drawn as a week, and in words.
import { describe, expect, test } from 'vitest'
import { draftOf, isComplete, NEW_WINDOW } from '../../console/src/on-call/quiet-hours/draft.ts'
import {
  daysInWords,
  placeInWeek,
  quietWeek,
  weekInWords,
  windowInWords,
} from '../../console/src/on-call/quiet-hours/week.ts'
import type { QuietWindow } from '../../src/contract/holds.ts'

const WORKDAYS: QuietWindow = { days: ['sun', 'mon', 'tue', 'wed', 'thu'], from: '22:00', to: '07:00' }
const WEEKEND: QuietWindow = { days: ['fri', 'sat'], from: '23:30', to: '09:00' }

describe('the week', () => {
  test('continues a window after midnight on the next day, and that of Sunday on Monday', () => {
    const [monday, , , , friday, saturday, sunday] = quietWeek([WORKDAYS, WEEKEND])
    expect(monday).toEqual([
      { from: 0, to: 420 },
      { from: 1320, to: 1440 },
    ])
    expect(friday).toEqual([
      { from: 0, to: 420 },
      { from: 1410, to: 1440 },
    ])
    expect(saturday).toEqual([
      { from: 0, to: 540 },
      { from: 1410, to: 1440 },
    ])
    expect(sunday).toEqual([
      { from: 0, to: 540 },
      { from: 1320, to: 1440 },
    ])
  })

  test('joins windows that overlap or touch, and ends one at midnight on its own day', () => {
    const [monday, tuesday] = quietWeek([
      { days: ['mon'], from: '12:00', to: '13:00' },
      { days: ['mon'], from: '12:30', to: '14:00' },
      { days: ['mon'], from: '14:00', to: '00:00' },
    ])
    expect(monday).toEqual([{ from: 720, to: 1440 }])
    expect(tuesday).toEqual([])
  })

  test('a window that ends when it begins is a whole day', () => {
    const [monday, tuesday] = quietWeek([{ days: ['mon'], from: '08:00', to: '08:00' }])
    expect([monday, tuesday]).toEqual([[{ from: 480, to: 1440 }], [{ from: 0, to: 480 }]])
  })

  test('is told day by day to those who do not see it', () => {
    expect(weekInWords([{ days: ['sun'], from: '22:00', to: '07:00' }])).toBe(
      'Monday: 00:00–07:00; Tuesday: not quiet; Wednesday: not quiet; Thursday: not quiet; Friday: not quiet; Saturday: not quiet; Sunday: 22:00–24:00',
    )
  })

  test('marks the present in the time zone of the quiet hours', () => {
    const at = new Date('2026-11-15T23:30:00Z')
    expect(placeInWeek(at, 'UTC')).toEqual({ day: 6, minutes: 1410 })
    expect(placeInWeek(at, 'Europe/Berlin')).toEqual({ day: 0, minutes: 30 })
  })
})

describe('in words', () => {
  test.each([
    [['mon', 'tue', 'wed', 'thu', 'sun'], 'Mon–Thu, Sun'],
    [['sat', 'fri'], 'Fri, Sat'],
    [['mon', 'wed', 'fri'], 'Mon, Wed, Fri'],
    [['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 'Every day'],
  ] as [QuietWindow['days'], string][])('%j are “%s”', (days, words) => expect(daysInWords(days)).toBe(words))

  test('a window says whether it ends on the next day', () => {
    expect(windowInWords(WEEKEND)).toBe('Fri, Sat: 23:30 to 09:00 the next day')
    expect(windowInWords({ days: ['sun'], from: '13:00', to: '15:00' })).toBe('Sun: 13:00 to 15:00')
  })
})

test('the form begins with a night in the time zone of the browser, and needs days for each window', () => {
  const none = { timezone: 'UTC', windows: [], passes: 'time-sensitive' as const, digest: true }
  const draft = draftOf(none, 'Europe/Berlin')
  expect(draft).toEqual({ ...none, timezone: 'Europe/Berlin', windows: [NEW_WINDOW] })
  expect(isComplete(draft)).toBe(true)
  expect(isComplete({ ...draft, windows: [{ ...NEW_WINDOW, days: [] }] })).toBe(false)
  expect(draftOf({ ...none, windows: [WORKDAYS] }, 'Europe/Berlin').timezone).toBe('UTC')
})
