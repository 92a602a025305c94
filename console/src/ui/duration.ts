// Durations as text.

const twoDigits = (part: number) => String(part).padStart(2, '0')

// "4:07", "1:04:07", "2d 01:04:07".
export function clockDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
  ]
  const tail = twoDigits(whole % 60)
  if (days > 0) return `${days}d ${twoDigits(hours)}:${twoDigits(minutes)}:${tail}`
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${tail}` : `${minutes}:${tail}`
}

const UNITS: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
]

// "3 d", "2 h", "5 min", "40 s": rounded down to the largest unit.
export function coarseDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [name, size] = UNITS.find(([, unit]) => whole >= unit) ?? ['s', 1]
  return `${Math.floor(whole / size)} ${name}`
}
