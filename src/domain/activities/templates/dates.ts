// A time span in the content, given by its end or its duration, and the progress bar that devices animate along it.
import { type Static, type TObject, Type } from 'typebox'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { parseDurationSeconds, toUnixSeconds } from '../../instant.ts'
import { type ActivityContent, at, UnixSeconds, without } from './content.ts'
import type { ContentChange } from './template.ts'

export const DATE_FIELDS = {
  // Another way to set end_date; not stored.
  duration: Type.Optional(
    Type.Unsafe<number | string>({ type: ['integer', 'string'], description: 'seconds, or 5m, 1h30m' }),
  ),
  start_date: Type.Optional(UnixSeconds),
  end_date: Type.Optional(UnixSeconds),
}
type Dates = Static<TObject<typeof DATE_FIELDS>>

export const LIVE_FIELDS = { ...DATE_FIELDS, live_progress: Type.Optional(Type.Boolean()) }
type Live = Static<TObject<typeof LIVE_FIELDS>>

// Only sent dates are compared with now; stored ones may age.
export function dateRules(content: Dates, { sent, now }: ContentChange<Dates>): Violation[] {
  const horizon = toUnixSeconds(now) + LIMITS.activity.dateHorizonSeconds
  const violations = durationRule(content)
  if (sent.end_date !== undefined && (content.end_date ?? 0) > horizon) {
    violations.push({ location: at('end_date'), message: 'must be at most 5 years ahead' })
  }
  const { start_date, end_date } = withoutOutdatedStart(content, sent)
  const isOwnStart = content.duration === undefined || sent.end_date !== undefined
  if (isOwnStart && start_date !== undefined && end_date !== undefined && start_date >= end_date) {
    violations.push({ location: at('start_date'), message: 'must be before end_date' })
  }
  return violations
}

function durationRule({ duration }: Dates): Violation[] {
  if (duration === undefined) return []
  const seconds = parseDurationSeconds(duration)
  if (seconds !== undefined && seconds >= 1 && seconds <= LIMITS.activity.dateHorizonSeconds) return []
  const bounds = `1 to ${LIMITS.activity.dateHorizonSeconds} seconds`
  return [{ location: at('duration'), message: `must be ${bounds}, or written as 5m or 1h30m` }]
}

// A duration starts now, unless the request also sets the end.
export function withDates(content: Dates & ActivityContent, { sent, now }: ContentChange<Dates>): ActivityContent {
  const { duration, ...rest } = withoutOutdatedStart(content, sent)
  if (duration === undefined || sent.end_date !== undefined) return rest
  const start = toUnixSeconds(now)
  return { ...rest, start_date: start, end_date: start + (parseDurationSeconds(duration) ?? 0) }
}

// A sent end is never refused because of the stored start, which is dropped instead: a client that sets start_date with
// every update may end a countdown in the second of its last update.
function withoutOutdatedStart<Kept extends Dates>(content: Kept, sent: Dates): Kept {
  if (sent.end_date === undefined || sent.start_date !== undefined) return content
  const { start_date, ...rest } = content
  return start_date !== undefined && start_date >= sent.end_date ? (rest as Kept) : content
}

export function liveRules(content: Live, change: ContentChange<Live>): Violation[] {
  const violations = dateRules(content, change)
  if (content.live_progress && content.end_date === undefined && content.duration === undefined) {
    violations.push({ location: at('live_progress'), message: 'needs end_date or duration' })
  }
  return violations
}

// An animated bar must stop at the end.
export function withoutLiveProgress(content: Live & ActivityContent): ActivityContent {
  return content.live_progress ? without(content, 'live_progress', 'start_date', 'end_date') : content
}
