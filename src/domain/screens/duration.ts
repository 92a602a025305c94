// Durations as text: to the second where they are drawn each second, otherwise to the minute.
import type { Viewer } from './viewer.ts'

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

export const UNITS: [name: string, seconds: number][] = [
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

const DAY = 86_400
const HOUR = 3600
const MINUTE = 60

type Style = 'clock' | 'coarse'

// The time until something. Without seconds it is rounded up, so that it is never more than what is written.
export function timeLeft({ showsSeconds }: Viewer, seconds: number, style: Style = 'clock'): string {
  if (showsSeconds) return style === 'clock' ? clockDuration(seconds) : coarseDuration(seconds)
  if (seconds <= MINUTE) return '< 1 min'
  return inUnits(seconds > DAY ? Math.ceil(seconds / HOUR) * HOUR : Math.ceil(seconds / MINUTE) * MINUTE)
}

// The time since something; without seconds it is rounded down.
export function timePassed({ showsSeconds }: Viewer, seconds: number, style: Style = 'clock'): string {
  if (showsSeconds) return style === 'clock' ? clockDuration(seconds) : coarseDuration(seconds)
  if (seconds < MINUTE) return '< 1 min'
  return inUnits(seconds >= DAY ? Math.floor(seconds / HOUR) * HOUR : Math.floor(seconds / MINUTE) * MINUTE)
}

// "2 d 3 h", "2 h 14 min", "14 min": the two largest units.
function inUnits(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([name, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [`${count} ${name}`] : []
  })
  return parts.slice(0, 2).join(' ')
}

// When the text of a duration without seconds changes next: each minute within a day of `date`, otherwise each hour.
export function nextStepOf(date: number, now: number): number {
  const seconds = (date - now) / 1000
  const isAhead = seconds > 0
  const unit = isAhead ? (seconds > DAY ? HOUR : MINUTE) : seconds > -DAY ? MINUTE : HOUR
  const steps = isAhead ? Math.ceil(seconds / unit) - 1 : -(Math.floor(-seconds / unit) + 1)
  return date - steps * unit * 1000
}
