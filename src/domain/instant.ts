// Points in time as values: milliseconds since 1970 in UTC, and what we do with them.

export type Instant = number & { readonly unit: 'epoch-ms' }

export const instant = (epochMs: number): Instant => epochMs as Instant

// For columns that may be null.
export const instantOrNull = (epochMs: number | null): Instant | null => epochMs as Instant | null

export const plusSeconds = (at: Instant, seconds: number): Instant => instant(at + seconds * 1000)

export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b)

export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b)

// Activities and push services count in whole seconds.
export const toUnixSeconds = (at: Instant): number => Math.floor(at / 1000)

export const fromUnixSeconds = (seconds: number): Instant => instant(seconds * 1000)

export const toRfc3339 = (at: Instant): string => new Date(at).toISOString()

// For text the contract's date-time format has already accepted.
export const fromRfc3339 = (text: string): Instant => instant(Date.parse(text))

export function startOfNextMonth(now: Instant): Instant {
  const date = new Date(now)
  return instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
}

export function startOfNextDay(now: Instant): Instant {
  const date = new Date(now)
  return instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1))
}

// 202611 for November 2026.
export function yearMonth(now: Instant): number {
  const date = new Date(now)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

// 20261115 for 15 November 2026.
export const yearMonthDay = (now: Instant): number => yearMonth(now) * 100 + new Date(now).getUTCDate()

// Durations as people write them: 90, "90", "5m", "1h30m".
export const DAY_SECONDS = 86_400

const UNITS = /^(?:(\d{1,6})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/
const SECONDS = /^\d{1,9}$/

// Undefined if the text is not a duration.
export function parseDurationSeconds(duration: number | string): number | undefined {
  if (typeof duration === 'number') return duration
  if (SECONDS.test(duration)) return Number(duration)
  const parts = duration === '' ? null : UNITS.exec(duration)
  if (!parts) return undefined
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ]
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}
