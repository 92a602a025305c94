// The times of a recurring schedule: a cron expression in a time zone. Fixed times keep their wall-clock time across
// changes of daylight saving time; patterns that repeat within the hour or every hour follow real time.

import { Cron } from 'croner'
import { LIMITS } from '../../contract/limits.ts'
import { DAY_SECONDS, type Instant, instant } from '../instant.ts'
import { findTimeZone, fromWallTime, toWallTime, type WallTime, wallTime } from './wall-clock.ts'

export type Pattern = { cron: string; timezone: string }

// The first time strictly after the given one, or undefined.
export function nextMatch({ cron, timezone }: Pattern, after: Instant): Instant | undefined {
  const fields = fieldsOf(cron)
  const zone = findTimeZone(timezone)
  if (zone === undefined) throw new Error(`no time zone ${timezone}`)
  if (!isFixed(fields)) return nextOf(calculatorOf(fields, zone), after)
  // The library drops a fixed time whose gap crosses midnight, and supports only single fixed times. So it computes the
  // next wall time, and fromWallTime converts it.
  const onTheWall = calculatorOf(fields, 'UTC')
  for (let wall = nextWall(onTheWall, toWallTime(after, zone)); wall !== undefined; wall = nextWall(onTheWall, wall)) {
    const at = fromWallTime(wall, zone)
    // Not after the given time if the clock shows it for the second time, or the gap moved it into the past.
    if (at > after) return at
  }
  return undefined
}

// Returns what is wrong with the expression of a schedule, to follow the name of the member; undefined if it is valid.
export function cronFault(cron: string): string | undefined {
  const fault = patternFault(cron)
  if (fault !== undefined) return fault
  const close = findCloseTimes(fieldsOf(cron))
  const spacing = LIMITS.schedule.minSpacingMinutes
  return close && `would send at ${close[0]} and again at ${close[1]}; sends must be at least ${spacing} minutes apart`
}

// The same for an expression whose times may be close together.
export function patternFault(cron: string): string | undefined {
  const fields = fieldsOf(cron)
  if (fields.length !== NAMES.length || !fields.every((field, at) => isField(field, NAMES[at]))) {
    const shortForms = [...NICKNAMES.keys()].join(', ')
    return `must have five fields (minute, hour, day, month, weekday) of numbers, *, lists, ranges and steps, or be one of ${shortForms}`
  }
  try {
    if (nextOf(calculatorOf(fields, 'UTC'), instant(0)) === undefined) return 'never comes: there is no such date'
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : error}`
  }
  return undefined
}

const NICKNAMES = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
])

// The allowed atoms of each of the five fields.
const NAMES: (RegExp | undefined)[] = [
  undefined,
  undefined,
  undefined,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/i,
  /^(?:sun|mon|tue|wed|thu|fri|sat)$/i,
]

const MINUTES = 60
const HOURS = 24

const fieldsOf = (cron: string): string[] => (NICKNAMES.get(cron.trim().toLowerCase()) ?? cron).trim().split(/\s+/)

// The library also accepts L, W, #, + and ?, which other crons read differently or not at all.
const isField = (field: string, names?: RegExp): boolean =>
  field.split(/[,/-]/).every((part) => part === '*' || /^\d+$/.test(part) || names?.test(part))

function isFixed([minute = '', hour = '']: string[]): boolean {
  return valuesOf(minute, MINUTES).length === 1 && valuesOf(hour, HOURS).length < HOURS
}

const calculatorOf = (fields: string[], timezone: string): Cron =>
  new Cron(fields.join(' '), { timezone, mode: '5-part', paused: true })

function nextOf(calculator: Cron, after: number): Instant | undefined {
  const next = calculator.nextRun(new Date(after))
  return next === null ? undefined : instant(next.getTime())
}

function nextWall(calculator: Cron, after: WallTime): WallTime | undefined {
  const next = nextOf(calculator, after)
  return next === undefined ? undefined : wallTime(next)
}

// The sorted values of a field of minutes or hours that the library has accepted.
function valuesOf(field: string, end: number): number[] {
  const values = field.split(',').flatMap((item) => {
    const [range = '', step = '1'] = item.split('/')
    const [first = '', last = first] = range === '*' ? ['0', String(end - 1)] : range.split('-')
    const count = Math.floor((Number(last) - Number(first)) / Number(step)) + 1
    return Array.from({ length: count }, (_, index) => Number(first) + index * Number(step))
  })
  return [...new Set(values)].sort((a, b) => a - b)
}

// Finds two times, of one day or of consecutive days, that are too close.
function findCloseTimes([minute = '', hour = '', ...day]: string[]): [string, string] | undefined {
  const minutes = valuesOf(minute, MINUTES)
  const times = valuesOf(hour, HOURS).flatMap((h) => minutes.map((m) => h * MINUTES + m))
  const isClose = (a = -Infinity, b = Infinity) => b - a < LIMITS.schedule.minSpacingMinutes
  const at = times.findIndex((time, index) => isClose(time, times[index + 1]))
  if (at >= 0) return [clockTime(times[at]), clockTime(times[at + 1])]
  const [last, first = 0] = [times.at(-1), times[0]]
  return isClose(last, first + HOURS * MINUTES) && hasDaysInARow(day) ? [clockTime(last), clockTime(first)] : undefined
}

const DAY_MS = DAY_SECONDS * 1000
// Within four years every day of the month has been followed by every possible next day, 29 February included.
const LOOKED_AT_MS = 1461 * DAY_MS

function hasDaysInARow(day: string[]): boolean {
  const calculator = calculatorOf(['0', '0', ...day], 'UTC')
  let date = nextOf(calculator, 0)
  while (date !== undefined && date < LOOKED_AT_MS) {
    const next = nextOf(calculator, date)
    if (next === date + DAY_MS) return true
    date = next
  }
  return false
}

const clockTime = (minutes = 0): string =>
  [Math.floor(minutes / MINUTES), minutes % MINUTES].map((part) => String(part).padStart(2, '0')).join(':')
