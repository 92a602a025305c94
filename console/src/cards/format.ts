// Formats the numbers and timers of cards. Pure functions: the present time is an argument.
import { language } from '../language.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { clockDuration, coarseDuration } from '../ui/duration.ts'

const LARGE = 100_000
const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 2 })

// With the number of decimals that the sender asks for, otherwise with up to two; large numbers are abbreviated.
export function formatNumber(value: number, decimals?: number): string {
  if (decimals !== undefined) {
    return value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  }
  return Math.abs(value) < LARGE ? plain.format(value) : compact.format(value)
}

export const withUnit = (text: string, unit: string | undefined): string => (unit ? `${text}${spaced(unit)}` : text)

// "62%" and "21°", but "3 kWh".
const spaced = (unit: string): string => (/^[%°]/.test(unit) ? unit : `\u202f${unit}`)

export const formatPercent = (fraction: number): string => `${Math.round(fraction * 100)}%`

// The position of a value between two bounds, from 0 to 1.
export function fractionOf(value: number, from: number, to: number): number {
  if (to <= from) return 0
  // Halved first: the difference of two very large numbers overflows to Infinity.
  return Math.min(Math.max((value / 2 - from / 2) / (to / 2 - from / 2), 0), 1)
}

export type Timer = { date: string; style?: 'timer' | 'relative' }

// Counts down to a future time and up from a past one.
export function timerText({ date, style = 'timer' }: Timer, present: number): string {
  const seconds = (Date.parse(date) - present) / 1000
  if (style === 'timer') return clockDuration(Math.abs(seconds))
  const words = coarseDuration(Math.abs(seconds))
  return seconds >= 0 ? CARD_TEXTS.in(words) : CARD_TEXTS.ago(words)
}
