// A brute-force oracle for cron: tests every minute of real time against the wall clock of Intl.
// It shares no code with the service.

export type CronFields = {
  text: string
  minute: number[]
  hour: number[]
  day: number[]
  month: number[]
  weekday: number[]
}

export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export function matchesBetween(cron: CronFields, zone: string, fromMs: number, toMs: number): number[] {
  const followsRealTime = cron.minute.length > 1 || cron.hour.length === 24
  // Starts two days early, so that a wall-clock time repeated after `fromMs` is known to have occurred before.
  const offsets = offsetsOf(zone)
  const startMs = fromMs - 48 * HOUR_MS
  let latestWall = startMs + offsets.at(startMs) - MINUTE_MS
  const found: number[] = []
  for (let at = startMs; at < toMs; at += MINUTE_MS) {
    const wall = at + offsets.at(at)
    const isNew = wall > latestWall
    // The wall-clock times from `first` to `wall` are shown for the first time, or skipped, in this minute.
    const first = isNew ? latestWall + MINUTE_MS : wall
    if (isNew) latestWall = wall
    if (at < fromMs) continue
    if (followsRealTime ? isMatch(cron, wall) : isNew && hasMatch(cron, first, wall)) found.push(at)
  }
  return found
}

export type Offsets = { at(ms: number): number; changes: number[] }

const FIRST_MS = Date.UTC(2026, 11, 1)
const LAST_MS = Date.UTC(2029, 1, 1)
const KNOWN = new Map<string, Offsets>()

// Offsets are sampled every six hours, and every minute where there was a change: no zone has two within that time.
export function offsetsOf(zone: string): Offsets {
  const known = KNOWN.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const ask = (ms: number) => {
    const [month, day, year, hour, minute] = format.format(ms).split(/\D+/).map(Number) as number[]
    return Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, day, hour, minute) - ms
  }
  const steps = [{ from: FIRST_MS, offset: ask(FIRST_MS) }]
  for (let ms = FIRST_MS; ms < LAST_MS; ms += 6 * HOUR_MS) {
    const before = steps.at(-1)?.offset
    if (ask(ms) === before) continue
    let change = ms - 6 * HOUR_MS
    while (ask(change) === before) change += MINUTE_MS
    steps.push({ from: change, offset: ask(change) })
  }
  const offsets = {
    at: (ms: number) => steps.findLast(({ from }) => from <= ms)?.offset ?? 0,
    changes: steps.slice(1).map(({ from }) => from),
  }
  KNOWN.set(zone, offsets)
  return offsets
}

function hasMatch(cron: CronFields, fromWall: number, toWall: number): boolean {
  for (let wall = fromWall; wall <= toWall; wall += MINUTE_MS) if (isMatch(cron, wall)) return true
  return false
}

function isMatch({ text, minute, hour, day, month, weekday }: CronFields, wall: number): boolean {
  const date = new Date(wall)
  if (!minute.includes(date.getUTCMinutes()) || !hour.includes(date.getUTCHours())) return false
  if (!month.includes(date.getUTCMonth() + 1)) return false
  const [onDay, onWeekday] = [day.includes(date.getUTCDate()), weekday.includes(date.getUTCDay())]
  const [, , dayField, , weekdayField] = text.split(' ')
  // If both day fields are restricted, a match of either is enough.
  return dayField === '*' || weekdayField === '*' ? onDay && onWeekday : onDay || onWeekday
}
