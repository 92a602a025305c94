// Durations as text.
import { language } from '../language.ts'

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

const UNIT_NAMES: Record<string, Intl.NumberFormatOptions['unit']> = { d: 'day', h: 'hour', min: 'minute', s: 'second' }

// "1 day, 2 hours", in the language of the console: the two largest units.
export function durationInWords(seconds: number): string {
  let left = Math.max(0, Math.round(seconds))
  const parts = [...UNITS, ['s', 1] as const].flatMap(([name, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [unitInWords(count, name)] : []
  })
  return new Intl.ListFormat(language, { type: 'unit' }).format(parts.slice(0, 2)) || unitInWords(0, 's')
}

const unitInWords = (count: number, unit: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: UNIT_NAMES[unit], unitDisplay: 'long' }).format(count)
