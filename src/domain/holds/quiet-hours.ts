// Quiet hours: when an account's devices stay silent, by the wall clock of a time zone or until a time.
import {
  type PASSING_LEVELS,
  type QuietHoursInput,
  type QuietUntilInput,
  type QuietWindow,
  WEEKDAYS,
} from '../../contract/holds.ts'
import { LIMITS } from '../../contract/limits.ts'
import { validationProblem } from '../../contract/validation.ts'
import { DAY_SECONDS, fromRfc3339, type Instant, later, plusSeconds } from '../instant.ts'
import { type IncomingNotification, type Level, rankOf } from '../notifications/notification.ts'
import { findTimeZone, fromWallTime, toWallTime, wallTime } from '../schedules/wall-clock.ts'

// `passes`: the lowest level that is pushed all the same. `until`: the end of "do not disturb until".
export type QuietHours = {
  timezone: string
  windows: readonly QuietWindow[]
  passes: (typeof PASSING_LEVELS)[number]
  digest: boolean
  until: Instant | null
}

// `quietUntil`: it is quiet now, and until then.
export type ShownQuietHours = QuietHours & { quietUntil: Instant | undefined }

export const NO_QUIET_HOURS: QuietHours = {
  timezone: 'UTC',
  windows: [],
  passes: 'time-sensitive',
  digest: true,
  until: null,
}

export function readQuietHours(input: QuietHoursInput): Omit<QuietHours, 'until'> {
  const { timezone: name, windows, passes = NO_QUIET_HOURS.passes, digest = NO_QUIET_HOURS.digest } = input
  const timezone = findTimeZone(name)
  if (timezone !== undefined) return { timezone, windows, passes, digest }
  const message = 'must be the IANA name of a time zone, such as Europe/Berlin'
  throw validationProblem([{ location: 'body.timezone', message, value: name }])
}

export function readQuietUntil(input: QuietUntilInput, now: Instant): Instant {
  const { maxUntilDays } = LIMITS.quietHours
  const until = fromRfc3339(input.until)
  if (until > now && until <= plusSeconds(now, maxUntilDays * DAY_SECONDS)) return until
  const message = `must lie in the future, at most ${maxUntilDays} days ahead`
  throw validationProblem([{ location: 'body.until', message, value: input.until }])
}

// Windows that follow each other without a gap are one quiet time. Windows that cover the whole week never end; the quiet
// time is then given as at least this many windows long.
const MOST_IN_A_ROW = 10

// When the quiet time that lasts at this moment ends; undefined if it is not quiet.
export function quietUntil(hours: QuietHours, now: Instant): Instant | undefined {
  let end = hours.until === null ? now : later(hours.until, now)
  for (let count = 0; count < MOST_IN_A_ROW; count++) {
    const next = latestEndAt(hours, end)
    if (next === undefined) break
    end = next
  }
  return end > now ? end : undefined
}

export const passesQuietHours = ({ passes }: QuietHours, level: Level): boolean => rankOf(level) >= rankOf(passes)

const DAY_MS = DAY_SECONDS * 1000

// The latest end of the windows that are open at this moment. A window lasts a day at most, so it began today or yesterday;
// tomorrow is for clocks that are set back across midnight.
function latestEndAt({ windows, timezone }: QuietHours, at: Instant): Instant | undefined {
  if (windows.length === 0) return undefined
  const today = Math.floor(toWallTime(at, timezone) / DAY_MS)
  const ends = [today - 1, today, today + 1].flatMap((day) =>
    windows
      .filter(({ days }) => days.includes(weekdayOf(day)))
      .map((window) => periodOf(window, day, timezone))
      .filter(({ from, to }) => from <= at && at < to)
      .map(({ to }) => to),
  )
  return ends.length === 0 ? undefined : ends.reduce(later)
}

function periodOf({ from, to }: QuietWindow, day: number, timezone: string): { from: Instant; to: Instant } {
  const [begin, end] = [msOf(from), msOf(to)]
  const lastDay = end > begin ? day : day + 1
  return {
    from: fromWallTime(wallTime(day * DAY_MS + begin), timezone),
    to: fromWallTime(wallTime(lastDay * DAY_MS + end), timezone),
  }
}

// The first day of 1970 was a Thursday.
const weekdayOf = (day: number) => WEEKDAYS[(day + WEEKDAYS.indexOf('thu')) % 7] as (typeof WEEKDAYS)[number]

const msOf = (timeOfDay: string): number => (Number(timeOfDay.slice(0, 2)) * 60 + Number(timeOfDay.slice(3))) * 60_000

// The words of the digest: how many notifications quiet hours have held, and from where.
// `source`: undefined for notifications without one.
export type HeldSource = { source: string | undefined; count: number }

const MOST_NAMED = 5

export function digestOf(held: readonly HeldSource[]): IncomingNotification {
  const count = held.reduce((sum, one) => sum + one.count, 0)
  return {
    title: count === 1 ? '1 message during quiet hours' : `${count} messages during quiet hours`,
    body: sourcesText(held).slice(0, LIMITS.notification.maxBodyChars),
    source: 'quiet-hours',
    source_display_name: 'Quiet hours',
    collapse_id: 'quiet-hours-digest',
  }
}

// Sources beyond the first, and those without a name, are added up as "others".
function sourcesText(held: readonly HeldSource[]): string {
  const named = held.filter(({ source }) => source !== undefined).slice(0, MOST_NAMED)
  const others = held.filter((one) => !named.includes(one)).reduce((sum, { count }) => sum + count, 0)
  const texts = named.map(({ source, count }) => `${source} (${count})`)
  if (others > 0) texts.push(named.length === 0 ? 'without a source' : `others (${others})`)
  return texts.join(', ')
}
