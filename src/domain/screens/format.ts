// The numbers, times and timers of cards as text. Pure functions: the present time is a member of the viewer.
import { timeLeft, timePassed } from './duration.ts'
import type { Viewer } from './viewer.ts'

const LARGE = 100_000
// Beyond it, the abbreviated form has hundreds of digits.
const HUGE = 1e15

// Formatters are expensive to create, and there are few languages and zones.
const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${options.notation} ${options.minimumFractionDigits} ${options.maximumFractionDigits}`
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(language, options)
  numberFormats.set(key, format)
  return format
}

// With the number of decimals that the sender asks for, otherwise with up to two; large numbers are abbreviated (1.23M, 1E308).
export function formatNumber({ language }: Pick<Viewer, 'language'>, value: number, decimals?: number): string {
  if (Math.abs(value) >= HUGE) {
    return numberFormat(language, { notation: 'scientific', maximumFractionDigits: 2 }).format(value)
  }
  if (decimals !== undefined) {
    return numberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)
  }
  const notation = Math.abs(value) < LARGE ? 'standard' : 'compact'
  return numberFormat(language, { notation, maximumFractionDigits: 2 }).format(value)
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

// How much of a time span is over. Without seconds, in whole percents: pictures that are drawn a second apart are equal.
export function fractionOver({ now, showsSeconds }: Viewer, from: number, to: number): number {
  const fraction = fractionOf(now, from, to)
  return showsSeconds ? fraction : Math.round(fraction * 100) / 100
}

function dateFormat({ locale, timeZone }: Viewer, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${style.dateStyle}`
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, { ...style, timeZone })
  dateFormats.set(key, format)
  return format
}

// "14:05".
export const clockTimeOf = (viewer: Viewer, at: number): string =>
  dateFormat(viewer, { timeStyle: 'short' }).format(at) + viewer.zoneMark

// "18 Nov 2026, 14:05".
export const momentOf = (viewer: Viewer, at: number): string =>
  dateFormat(viewer, { dateStyle: 'medium', timeStyle: 'short' }).format(at) + viewer.zoneMark

export type Timer = { date: string; style?: 'timer' | 'relative' }

// Counts down to a future time and up from a past one.
export function timerText(viewer: Viewer, { date, style = 'timer' }: Timer): string {
  const seconds = (Date.parse(date) - viewer.now) / 1000
  const length = style === 'timer' ? 'clock' : 'coarse'
  const words = seconds >= 0 ? timeLeft(viewer, seconds, length) : timePassed(viewer, -seconds, length)
  if (style === 'timer') return words
  return seconds >= 0 ? viewer.words.in(words) : viewer.words.ago(words)
}
