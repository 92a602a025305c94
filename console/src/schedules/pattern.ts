// Patterns of a series without cron: every day, on weekdays, on some days of the week, on a day of the month. Other cron
// expressions are `custom`.

export type PatternKind = 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom'
export type Pattern = {
  kind: PatternKind
  // "08:00", in the time zone of the series.
  time: string
  // Used by `weekly`: 0 is Sunday.
  weekdays: number[]
  // Used by `monthly`.
  day: number
  // Used by `custom`.
  cron: string
}

const WORKDAYS = [1, 2, 3, 4, 5]

export const NEW_PATTERN: Pattern = { kind: 'weekdays', time: '08:00', weekdays: [1], day: 1, cron: '0 8 * * 1-5' }

export function cronOf({ kind, time, weekdays, day, cron }: Pattern): string {
  const [hour, minute] = time.split(':').map(Number)
  const at = `${minute} ${hour}`
  switch (kind) {
    case 'daily':
      return `${at} * * *`
    case 'weekdays':
      return `${at} * * 1-5`
    case 'weekly':
      return `${at} * * ${weekdays.toSorted((a, b) => a - b).join(',')}`
    case 'monthly':
      return `${at} ${day} * *`
    case 'custom':
      return cron.trim()
  }
}

export function isPatternComplete({ kind, time, weekdays, cron }: Pattern): boolean {
  if (kind === 'custom') return cron.trim() !== ''
  return time !== '' && (kind !== 'weekly' || weekdays.length > 0)
}

const NAMED: Record<string, string> = {
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
}

export function patternOf(cron: string): Pattern {
  const custom: Pattern = { ...NEW_PATTERN, kind: 'custom', cron }
  const [minute, hour, day, month, weekdayList, ...rest] = (NAMED[cron.trim()] ?? cron.trim()).split(/\s+/)
  const time = timeOf(hour, minute)
  if (!time || month !== '*' || weekdayList === undefined || rest.length > 0) return custom
  const simple = { ...custom, time }
  if (day === '*' && weekdayList === '*') return { ...simple, kind: 'daily' }
  if (weekdayList === '*') {
    const number = numberBelow(day, 32)
    return number === undefined || number === 0 ? custom : { ...simple, kind: 'monthly', day: number }
  }
  const weekdays = day === '*' ? weekdaysOf(weekdayList) : undefined
  if (!weekdays) return custom
  if (weekdays.length === 7) return { ...simple, kind: 'daily' }
  const isWorkdays = weekdays.join() === WORKDAYS.join()
  return isWorkdays ? { ...simple, kind: 'weekdays' } : { ...simple, kind: 'weekly', weekdays }
}

function timeOf(hourText: string | undefined, minuteText: string | undefined): string | undefined {
  const [hour, minute] = [numberBelow(hourText, 24), numberBelow(minuteText, 60)]
  if (hour === undefined || minute === undefined) return undefined
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

function numberBelow(text: string | undefined, limit: number): number | undefined {
  const number = text !== undefined && /^\d{1,2}$/.test(text) ? Number(text) : limit
  return number < limit ? number : undefined
}

const WEEKDAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

// Sorted, without repetitions. Undefined if the list has steps or other forms.
function weekdaysOf(list: string): number[] | undefined {
  const days = new Set<number>()
  for (const part of list.split(',')) {
    const [from, to = from, ...rest] = part.split('-').map(weekdayOf)
    if (from === undefined || to === undefined || from > to || rest.length > 0) return undefined
    // Cron calls Sunday 0 or 7.
    for (let day = from; day <= to; day++) days.add(day % 7)
  }
  return [...days].sort((a, b) => a - b)
}

function weekdayOf(text: string): number | undefined {
  const named = WEEKDAY_NAMES.indexOf(text.toUpperCase())
  return named === -1 ? numberBelow(text, 8) : named
}

// "Berlin" for Europe/Berlin.
export const zoneInWords = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
