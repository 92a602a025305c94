// Reads a window of quiet hours: 22:00-07:00, or with the days on which it begins, such as "mon-fri 22:00-07:00".
import type { QuietWindow } from '../../../contract/holds.ts'

type Day = QuietWindow['days'][number]
const DAYS: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const WINDOW = /^(?:([a-z,-]+)\s+)?((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/i

export function quietWindow(text: string): QuietWindow {
  const [, days, from, to] = WINDOW.exec(text.trim()) ?? []
  const read = days === undefined ? [...DAYS] : daysOf(days.toLowerCase())
  if (from && to && read) return { days: read, from, to }
  throw new Error('of the form 22:00-07:00, "mon-fri 22:00-07:00" or "sat,sun 23:30-09:00"')
}

// Undefined if a name is wrong. In the order of the week, each once.
function daysOf(text: string): Day[] | undefined {
  const read = text.split(',').map(rangeOf)
  if (read.includes(undefined)) return undefined
  const wanted = new Set(read.flatMap((days) => days ?? []))
  return DAYS.filter((day) => wanted.has(day))
}

// fri-mon goes across the end of the week.
function rangeOf(text: string): Day[] | undefined {
  const [first = '', last = first, ...more] = text.split('-')
  const [from, to] = [DAYS.indexOf(first as Day), DAYS.indexOf(last as Day)]
  if (from === -1 || to === -1 || more.length > 0) return undefined
  const length = ((to - from + DAYS.length) % DAYS.length) + 1
  return Array.from({ length }, (_, index) => DAYS[(from + index) % DAYS.length] as Day)
}
