// Quiet hours as a week: which parts of each day are quiet, and the same in words.
import type { QuietHoursView, QuietWindow } from '../../../../src/contract/holds.ts'
import { language } from '../../language.ts'
import { QUIET_HOURS_TEXTS } from '../../texts/quiet-hours.ts'

export type Weekday = QuietWindow['days'][number]

export const WEEKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

// Minutes of a day.
export type Span = { from: number; to: number }

const DAY_MINUTES = 24 * 60

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

// A window whose end is not after its begin ends on the next day.
export const endsNextDay = ({ from, to }: Pick<QuietWindow, 'from' | 'to'>): boolean => minutesOf(to) <= minutesOf(from)

// The quiet spans of each day from Monday on, sorted, those that touch joined. The part after midnight belongs to the next
// day, and that of Sunday to Monday.
export function quietWeek(windows: QuietHoursView['windows']): Span[][] {
  const week: Span[][] = WEEKDAYS.map(() => [])
  for (const window of windows) {
    const [from, to] = [minutesOf(window.from), minutesOf(window.to)]
    for (const day of window.days) {
      const index = WEEKDAYS.indexOf(day)
      const next = (index + 1) % WEEKDAYS.length
      if (!endsNextDay(window)) week[index]?.push({ from, to })
      else {
        week[index]?.push({ from, to: DAY_MINUTES })
        if (to > 0) week[next]?.push({ from: 0, to })
      }
    }
  }
  return week.map(joined)
}

function joined(spans: Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else result.push({ ...span })
  }
  return result
}

// As a share of the day, in percent.
export const percentOf = (minutes: number): number => (minutes / DAY_MINUTES) * 100

// 2024 began with a Monday.
const dateOf = (index: number) => new Date(Date.UTC(2024, 0, 1 + index))
const nameOf = (index: number, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(dateOf(index))

export const shortName = (day: Weekday): string => nameOf(WEEKDAYS.indexOf(day), 'short')
export const longName = (day: Weekday): string => nameOf(WEEKDAYS.indexOf(day), 'long')

// "Mon–Thu, Sun": three or more days in a row are a range.
export function daysInWords(days: readonly Weekday[]): string {
  const chosen = WEEKDAYS.filter((day) => days.includes(day))
  if (chosen.length === WEEKDAYS.length) return QUIET_HOURS_TEXTS.everyDay
  const runs: Weekday[][] = []
  for (const day of chosen) {
    const last = runs.at(-1)?.at(-1)
    if (last && WEEKDAYS.indexOf(last) + 1 === WEEKDAYS.indexOf(day)) runs.at(-1)?.push(day)
    else runs.push([day])
  }
  return runs.flatMap(runInWords).join(', ')
}

function runInWords(run: Weekday[]): string[] {
  const [first, last] = [run[0], run.at(-1)]
  if (first && last && run.length > 2) return [`${shortName(first)}–${shortName(last)}`]
  return run.map(shortName)
}

export const windowInWords = (window: QuietWindow): string =>
  QUIET_HOURS_TEXTS.window(daysInWords(window.days), window.from, window.to, endsNextDay(window))

// The whole week for those who do not see it drawn.
export function weekInWords(windows: QuietHoursView['windows']): string {
  const days = quietWeek(windows).map((spans, index) => {
    const times = spans.map(({ from, to }) => `${timeOf(from)}–${timeOf(to)}`)
    return `${nameOf(index, 'long')}: ${times.join(', ') || QUIET_HOURS_TEXTS.notQuiet}`
  })
  return days.join('; ')
}

// Where the present is in the week of a time zone.
export function placeInWeek(at: Date, timezone: string): { day: number; minutes: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timezone,
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const day = WEEKDAYS.indexOf(part('weekday').toLowerCase() as Weekday)
  return { day, minutes: Number(part('hour')) * 60 + Number(part('minute')) }
}
