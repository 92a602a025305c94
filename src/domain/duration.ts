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
