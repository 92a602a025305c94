// Conversion between instants and the wall-clock time of a time zone. A wall time is written as if it were UTC.
import { DAY_SECONDS, type Instant, instant } from '../instant.ts'

export type WallTime = number & { readonly unit: 'epoch-ms on the wall' }

export const wallTime = (epochMs: number): WallTime => epochMs as WallTime

// Memoized, because a formatter is expensive to create: it was most of what an alert of a heartbeat costs. Clients choose the
// names, in any case, so their number is bounded.
const CANONICAL = new Map<string, string>()
const MOST_NAMES = 1000

// The canonical name of the zone, or undefined if there is no such zone.
export function findTimeZone(name: string): string | undefined {
  const known = CANONICAL.get(name)
  if (known !== undefined) return known
  const zone = canonicalZone(name)
  if (zone === undefined) return undefined
  if (CANONICAL.size >= MOST_NAMES) CANONICAL.clear()
  CANONICAL.set(name, zone)
  return zone
}

function canonicalZone(name: string): string | undefined {
  // Intl also accepts offsets such as +02:00, which have no daylight saving time.
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

export const toWallTime = (at: Instant, zone: string): WallTime => wallTime(at + offsetMs(at, zone))

const DAY_MS = DAY_SECONDS * 1000
const MINUTE_MS = 60_000

// The first instant at which the clock shows this time; if it is skipped, the first one after the gap.
export function fromWallTime(wall: WallTime, zone: string): Instant {
  const [before, after] = [offsetMs(wall - DAY_MS, zone), offsetMs(wall + DAY_MS, zone)]
  const shown = [before, after].map((offset) => wall - offset).filter((at) => at + offsetMs(at, zone) === wall)
  return instant(shown.length > 0 ? Math.min(...shown) : firstMinuteAt(wall - after, wall - before, zone, after))
}

// Bisection for the first minute within these bounds that has this offset. The last minute has it, the first one does
// not.
function firstMinuteAt(fromMs: number, toMs: number, zone: string, offset: number): number {
  let [without, having] = [fromMs, toMs]
  while (having - without > MINUTE_MS) {
    const middle = without + Math.floor((having - without) / 2 / MINUTE_MS) * MINUTE_MS
    if (offsetMs(middle, zone) === offset) having = middle
    else without = middle
  }
  return having
}

// Memoized, because a formatter is expensive to create. Callers use canonical names, of which there are few.
const FORMATS = new Map<string, Intl.DateTimeFormat>()

function offsetMs(epochMs: number, zone: string): number {
  const format = FORMATS.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: zone })
  FORMATS.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000
}

const PARTS: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
}
