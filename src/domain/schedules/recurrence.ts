// When a repeating schedule is sent: a cron in a time zone. Fixed times keep their place on the wall clock through a
// change of it; patterns that repeat within the hour or every hour follow real time.

import { Cron } from 'croner'
import { LIMITS } from '../../contract/limits.ts'
import { DAY_SECONDS } from '../duration.ts'
import { type Instant, instant } from '../instant.ts'
import { findTimeZone, fromWallTime, toWallTime, type WallTime, wallTime } from './wall-clock.ts'

export type Pattern = { cron: string; timezone: string }

// The first time strictly after the given one, or nothing if there is none.
export function nextMatch({ cron, timezone }: Pattern, after: Instant): Instant | undefined {
  const fields = fieldsOf(cron)
  const zone = findTimeZone(timezone)
  if (zone === undefined) throw new Error(`no time zone ${timezone}`)
  if (!isFixed(fields)) return nextOf(calculatorOf(fields, zone), after)
  // The library drops a fixed time if its gap reaches over midnight, and knows no fixed times but single ones; so it
  // looks for the next one on the wall, and we for the moment when the wall shows it.
  const onTheWall = calculatorOf(fields, 'UTC')
  for (let wall = nextWall(onTheWall, toWallTime(after, zone)); wall !== undefined; wall = nextWall(onTheWall, wall)) {
    const at = fromWallTime(wall, zone)
    // Not after: this is the second time that the wall shows it, or the gap took it to a moment that is over.
    if (at > after) return at
  }
  return undefined
}

// What is wrong with it, to follow the name of the member; nothing if it can be used.
export function cronFault(cron: string): string | undefined {
  const fields = fieldsOf(cron)
  if (fields.length !== NAMES.length || !fields.every((field, at) => isField(field, NAMES[at]))) {
    const shortForms = Object.keys(NICKNAMES).join(', ')
    return `must have five fields (minute, hour, day, month, weekday) of numbers, *, lists, ranges and steps, or be one of ${shortForms}`
  }
  try {
    if (nextOf(calculatorOf(fields, 'UTC'), instant(0)) === undefined) return 'never comes: there is no such date'
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : error}`
  }
  const close = findCloseTimes(fields)
  const spacing = LIMITS.scheduleSpacingMinutes
  return close && `would send at ${close[0]} and again at ${close[1]}; sends must be at least ${spacing} minutes apart`
}

const NICKNAMES: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
}

// What may stand for a number in each of the five fields.
const NAMES: (RegExp | undefined)[] = [
  undefined,
  undefined,
  undefined,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/i,
  /^(?:sun|mon|tue|wed|thu|fri|sat)$/i,
]

const MINUTES = 60
const HOURS = 24

const fieldsOf = (cron: string): string[] => (NICKNAMES[cron.trim().toLowerCase()] ?? cron).trim().split(/\s+/)

// The library also reads L, W, #, + and ?, which mean something else elsewhere or nothing.
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

// The sorted numbers that a field of minutes or hours stands for, once the library has accepted it.
function valuesOf(field: string, end: number): number[] {
  const values = field.split(',').flatMap((item) => {
    const [range = '', step = '1'] = item.split('/')
    const [first = '', last = first] = range === '*' ? ['0', String(end - 1)] : range.split('-')
    const count = Math.floor((Number(last) - Number(first)) / Number(step)) + 1
    return Array.from({ length: count }, (_, index) => Number(first) + index * Number(step))
  })
  return [...new Set(values)].sort((a, b) => a - b)
}

// Two times of one day, or of two days in a row, that follow each other too soon.
function findCloseTimes([minute = '', hour = '', ...day]: string[]): [string, string] | undefined {
  const minutes = valuesOf(minute, MINUTES)
  const times = valuesOf(hour, HOURS).flatMap((h) => minutes.map((m) => h * MINUTES + m))
  const isClose = (a = -Infinity, b = Infinity) => b - a < LIMITS.scheduleSpacingMinutes
  const at = times.findIndex((time, index) => isClose(time, times[index + 1]))
  if (at >= 0) return [clockTime(times[at]), clockTime(times[at + 1])]
  const [last, first = 0] = [times.at(-1), times[0]]
  return isClose(last, first + HOURS * MINUTES) && hasDaysInARow(day) ? [clockTime(last), clockTime(first)] : undefined
}

const DAY_MS = DAY_SECONDS * 1000
// Over four years every day of the month has met its neighbour, 29 February included.
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
