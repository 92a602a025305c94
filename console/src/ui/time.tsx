// Times as text. Relative times ("5 min ago") update once a minute and have the exact time as tooltip.
import { signal } from '@preact/signals'
import { clockDuration } from '../../../src/domain/screens/duration.ts'
import { language, locale } from '../language.ts'
import { TEXTS } from '../texts/base.ts'

const TICK_MS = 1000

// The current time, updated once a second while the tab is visible.
export const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, TICK_MS)

const minute = signal(minuteOf(Date.now()))
now.subscribe((at) => (minute.value = minuteOf(at)))

function minuteOf(at: number): number {
  return Math.floor(at / 60_000) * 60_000
}

export const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' })
const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const fullDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const shortDateTime = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
// The narrow form of German minutes is "m", which is read as metres.
const relative = new Intl.RelativeTimeFormat(language, {
  numeric: 'auto',
  style: language === 'de' ? 'short' : 'narrow',
})

export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {agoInWords(Date.parse(at), minute.value)}
    </time>
  )
}

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{dateTime.format(new Date(at))}</time>
}

// "Mon, Nov 16, 08:20 AM", where the person is.
export const shortMoment = (at: string): string => shortDateTime.format(new Date(at))

export function ClockTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {clockTime.format(new Date(at))}
    </time>
  )
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function agoInWords(at: number, present: number): string {
  const distance = at - present
  if (Math.abs(distance) < 60_000) return TEXTS.time.now
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? ['minute', 60_000]
  return relative.format(Math.round(distance / ms), unit)
}

// Short form for lists that are grouped by day: the time if it is today, otherwise the date.
export function shortTime(at: string): string {
  const moment = new Date(at)
  const isToday = moment.toDateString() === new Date(minute.value).toDateString()
  if (isToday) return clockTime.format(moment)
  const isThisYear = moment.getFullYear() === new Date(minute.value).getFullYear()
  return isThisYear ? dayAndMonth.format(moment) : fullDay.format(moment)
}

// Takes a day such as 2026-11-15. The server counts days in UTC.
const dayInUtc = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
export const dayOfYear = (day: string): string => dayInUtc.format(new Date(day))

export function dayInWords(day: string): string {
  const today = new Date(minute.value)
  if (day === today.toDateString()) return TEXTS.time.today
  today.setDate(today.getDate() - 1)
  return day === today.toDateString() ? TEXTS.time.yesterday : weekday.format(new Date(day))
}

// Time left as "4:07"; "0:00" once it has passed.
export function countdown(until: string, present = now.value): string {
  return clockDuration(Math.ceil((Date.parse(until) - present) / 1000))
}
