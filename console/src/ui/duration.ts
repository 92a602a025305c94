// Durations in words, in the language of the console.
import { UNITS } from '../../../src/domain/screens/duration.ts'
import { language } from '../language.ts'

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
