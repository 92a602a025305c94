// Levels for the severities, priorities and colours of other services.
import { rankOf } from '../notifications/notification.ts'
import { entryOf } from './members.ts'
import type { Level } from './message.ts'

const WORDS: Record<string, Level> = {
  critical: 'critical',
  page: 'critical',
  emergency: 'critical',
  urgent: 'critical',
  max: 'critical',
  warning: 'time-sensitive',
  warn: 'time-sensitive',
  error: 'time-sensitive',
  failure: 'time-sensitive',
  high: 'time-sensitive',
  'time-sensitive': 'time-sensitive',
  info: 'passive',
  ok: 'passive',
  none: 'passive',
  low: 'passive',
  min: 'passive',
  debug: 'passive',
  passive: 'passive',
  active: 'active',
}

export const levelOfSeverity = (severity: string): Level => entryOf(WORDS, severity.toLowerCase()) ?? 'active'

// As senders of ntfy count: 3 is the default.
const PRIORITIES: Level[] = ['passive', 'passive', 'passive', 'active', 'time-sensitive', 'critical']

export function levelOfPriority(priority: string): Level {
  const number = Number(priority)
  if (priority === '' || !Number.isInteger(number)) return levelOfSeverity(priority)
  return PRIORITIES[Math.min(Math.max(number, 0), 5)] as Level
}

export const highest = (levels: Level[]): Level => levels.reduce((a, b) => (rankOf(b) > rankOf(a) ? b : a), 'passive')

const NAMED_COLORS: Record<string, Level> = { danger: 'time-sensitive', warning: 'active', good: 'passive' }

// Red is bad, green is good.
export function levelOfColor(color: string | number | undefined): Level | undefined {
  const named = typeof color === 'string' ? entryOf(NAMED_COLORS, color) : undefined
  if (named) return named
  const rgb = typeof color === 'number' ? color : hexColor(color ?? '')
  if (rgb === undefined || !Number.isInteger(rgb) || rgb < 0 || rgb > 0xffffff) return undefined
  const [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255] as const
  const range = Math.max(red, green, blue) - Math.min(red, green, blue)
  // Greys say nothing.
  if (range < 40) return undefined
  if (red >= green && red >= blue) {
    if (blue > green) return (red - blue) / range > 0.3 ? 'time-sensitive' : undefined
    return (green - blue) / range < 0.35 ? 'time-sensitive' : 'active'
  }
  return green >= blue ? 'passive' : undefined
}

function hexColor(text: string): number | undefined {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}
