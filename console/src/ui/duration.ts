// Lengths of time in figures and in words.

const TWO = (part: number) => String(part).padStart(2, '0')

// "4:07", "1:04:07", "2d 01:04:07": as a clock shows what is left.
export function clockDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
  ]
  const tail = TWO(whole % 60)
  if (days > 0) return `${days}d ${TWO(hours)}:${TWO(minutes)}:${tail}`
  return hours > 0 ? `${hours}:${TWO(minutes)}:${tail}` : `${minutes}:${tail}`
}

const UNITS: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
]

// "3 d", "2 h", "5 min", "40 s": the largest unit that fits.
export function coarseDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [name, size] = UNITS.find(([, unit]) => whole >= unit) ?? ['s', 1]
  return `${Math.floor(whole / size)} ${name}`
}
