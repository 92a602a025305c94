// When a delayed message is sent: a duration, a time in Unix seconds or RFC 3339, or words such as "tomorrow 10am" and
// "Tuesday 7:30" in the time zone of the server, as ntfy reads them.
import { LIMITS } from '../../../contract/limits.ts'
import { DAY_SECONDS, fromRfc3339, fromUnixSeconds, type Instant, plusSeconds, toUnixSeconds } from '../../instant.ts'
import { fromWallTime, toWallTime, type WallTime, wallTime } from '../../schedules/wall-clock.ts'
import { NtfyRefusal } from './refusal.ts'

const MIN_DELAY_SECONDS = 10
const MOST_CHARS = 64

export function parseDelay(text: string, zone: string, now: Instant): Instant {
  const at = text.length > MOST_CHARS ? undefined : readTime(text.trim().toLowerCase(), zone, now)
  if (at === undefined || Number.isNaN(at)) throw new NtfyRefusal(40004)
  if (at < plusSeconds(now, MIN_DELAY_SECONDS)) throw new NtfyRefusal(40005)
  if (at > plusSeconds(now, LIMITS.schedule.horizonDays * DAY_SECONDS)) throw new NtfyRefusal(40006)
  return at
}

function readTime(text: string, zone: string, now: Instant): Instant | undefined {
  if (/^\d+$/.test(text)) {
    const seconds = Number(text)
    return seconds < toUnixSeconds(now) ? undefined : fromUnixSeconds(seconds)
  }
  const seconds = readDuration(text.replace(/^in\s+/, ''))
  if (seconds !== undefined) return plusSeconds(now, seconds)
  if (RFC_3339.test(text)) return fromRfc3339(text.toUpperCase())
  return readWords(text, zone, now)
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/
const WORD_DURATION = /^(\d+)\s*(days?|d|hours?|h|minutes?|mins?|m|seconds?|secs?|s)$/
const GO_DURATION = /^(\d+(\.\d+)?(h|ms|m|s))+$/
const GO_PARTS = /(\d+(?:\.\d+)?)(h|ms|m|s)/g
const UNIT_SECONDS: Record<string, number> = { d: DAY_SECONDS, h: 3600, m: 60, s: 1, ms: 0.001 }

// In seconds. Undefined if the text is none.
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = WORD_DURATION.exec(text) ?? []
  if (count !== undefined) return Number(count) * (UNIT_SECONDS[unit.slice(0, 1)] ?? 0)
  if (!GO_DURATION.test(text)) return undefined
  return [...text.matchAll(GO_PARTS)].reduce((sum, [, n, unit]) => sum + Number(n) * (UNIT_SECONDS[unit ?? ''] ?? 0), 0)
}

const DAY_MS = DAY_SECONDS * 1000
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

// A day, a time of day, or both in either order. A day without a time is at the present time of day; a time that is over
// means the next day, or the next week if a weekday is given.
function readWords(text: string, zone: string, now: Instant): Instant | undefined {
  const words = text
    .replace(/,/g, ' ')
    .replace(/\b(at|on|next)\b/g, ' ')
    .trim()
  const [, day] = /\b(today|tomorrow|[a-z]{3,9}day)\b/.exec(words) ?? []
  const time = (day === undefined ? words : words.replace(day, '')).trim()
  const wallNow = toWallTime(now, zone)
  const daysAhead = day === undefined ? 0 : readDay(day, wallNow)
  const msOfDay = time === '' && day !== undefined ? wallNow % DAY_MS : readClock(time)
  if (daysAhead === undefined || msOfDay === undefined) return undefined
  const wall = wallNow - (wallNow % DAY_MS) + daysAhead * DAY_MS + msOfDay
  const at = fromWallTime(wallTime(wall), zone)
  if (at > now) return at
  if (day === 'today') return undefined
  return fromWallTime(wallTime(wall + (day === undefined ? 1 : 7) * DAY_MS), zone)
}

function readDay(day: string, wallNow: WallTime): number | undefined {
  if (day === 'today') return 0
  if (day === 'tomorrow') return 1
  const weekday = WEEKDAYS.indexOf(day)
  return weekday === -1 ? undefined : (weekday - new Date(wallNow).getUTCDay() + 7) % 7
}

// 10am, 8:30pm, 20:30.
function readClock(text: string): number | undefined {
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?::(\d\d))?\s*(am|pm)?$/.exec(text) ?? []
  if (hours === undefined || (half === undefined && !text.includes(':'))) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const isValid =
    hour < 24 && Number(minutes) < 60 && (half === undefined || (Number(hours) >= 1 && Number(hours) <= 12))
  return isValid ? (hour * 60 + Number(minutes)) * 60_000 : undefined
}
