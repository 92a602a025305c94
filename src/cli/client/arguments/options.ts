// What the options and the help of client commands have in common, and parsers for the values of their options.
import { type Command, Option } from 'commander'
import { type Instant, instant, parseDurationSeconds, plusSeconds, toRfc3339 } from '../../../domain/instant.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { setQuiet, withExample } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'

export const JSON_OPTION = ['--json', 'print one JSON object'] as const

// The last thing that is added to a client command.
export function asClient(command: Command, example: string): Command {
  command.option(...JSON_OPTION).option('-q, --quiet', 'print nothing but errors')
  command.hook('preAction', () => setQuiet(command.opts<{ quiet?: boolean }>().quiet ?? false))
  return withServer(command, example)
}

// For a command whose output is not ours.
export function withServer(command: Command, example: string): Command {
  command
    .option('--url <url>', 'address of the server')
    .option('--profile <name>', 'server and token that "heliograph login" has stored')
    .addHelpText('after', '\nServers, tokens and exit codes: heliograph help clients')
  return withExample(command, example)
}

// An option that may be given several times; its values are collected.
export function repeatable<Value>(flags: string, description: string, parse: (text: string) => Value): Option {
  const parseOne = optionParser(parse)
  return new Option(flags, description).argParser<Value[]>((text, before = []) => [...before, parseOne(text)])
}

export function withDuration(command: Command, flags: string, description: string, bounds: Bounds): Command {
  return command.option(flags, description, optionParser(durationWithin(bounds)))
}

type Bounds = { min: number; max: number }

function durationWithin({ min, max }: Bounds) {
  return (text: string): number => {
    const seconds = parseDurationSeconds(text)
    if (seconds !== undefined && seconds >= min && seconds <= max) return seconds
    throw new Error(`a duration from ${durationInWords(min)} to ${durationInWords(max)}, such as 90, 10m or 1h30m`)
  }
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

// 5400 is 1h30m.
export function durationInWords(seconds: number): string {
  let rest = Math.round(seconds)
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? `${count}${unit}` : ''
  })
  return parts.join('') || '0s'
}

// NAME=VALUE, split at the first "=".
export function namedValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error('of the form NAME=VALUE')
  return [text.slice(0, at), text.slice(at + 1)]
}

export function numberWithin(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= min && value <= max)) throw new Error(`a number from ${min} to ${max}`)
    return value
  }
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](.+))?$/

// A time of day is the next one. A date without an offset is in the time zone of this machine.
export function timestamp(text: string): string {
  const time = nextTimeOfDay(text, systemClock.now()) ?? dateTime(text)
  if (Number.isNaN(time)) throw new Error('a time such as 18:30, "2026-12-24 18:30" or 2026-12-24T18:30:00Z')
  return toRfc3339(instant(time))
}

function dateTime(text: string): number {
  const [, date, time = '00:00'] = DATE.exec(text) ?? []
  return Date.parse(`${date}T${time}`)
}

function nextTimeOfDay(text: string, now: Instant): number | undefined {
  const [, hour, minute] = TIME_OF_DAY.exec(text) ?? []
  if (hour === undefined) return undefined
  const date = new Date(now)
  date.setHours(Number(hour), Number(minute), 0, 0)
  if (date.getTime() <= now) date.setDate(date.getDate() + 1)
  return date.getTime()
}

export const timestampIn = (seconds: number): string => toRfc3339(plusSeconds(systemClock.now(), seconds))

// The end of a mute or of "quiet now": for how long, or until when.
export const UNTIL_HELP = 'for how long, such as 8h, or until when, such as 18:30'

export const untilTime =
  (maxSeconds: number) =>
  (text: string): string => {
    const seconds = parseDurationSeconds(text)
    if (seconds === undefined) return timestamp(text)
    if (seconds > 0 && seconds <= maxSeconds) return timestampIn(seconds)
    throw new Error(`at most ${maxSeconds / 86_400} days`)
  }
