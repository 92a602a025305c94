// Whether a notification is pushed, or why it is stored only. This is the one place that knows which rule comes first. Mutes are the
// first of them.

import type { MuteInput } from '../../contract/holds.ts'
import { LIMITS } from '../../contract/limits.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { KeyId, Shield } from '../caller.ts'
import { DAY_SECONDS, fromRfc3339, type Instant, later, plusSeconds, toRfc3339 } from '../instant.ts'
import type { NotificationDraft } from '../notifications/notification.ts'
import { toWallTime } from '../schedules/wall-clock.ts'
import { passesQuietHours, type QuietHours, quietUntil } from './quiet-hours.ts'

// Why a notification was stored and not pushed although its sender wanted it pushed.
// `until` of quiet hours is shown by the clock of the person. `isTold`: a digest tells it at the end.
export type Held =
  | { reason: 'muted'; until: Instant }
  | { reason: 'quiet_hours'; until: Instant; timezone: string; isTold: boolean }
  | { reason: 'storm'; shield: Shield }

// What the account has set. `storm`: the shield whose limit is reached.
export type HoldRules = {
  mutes: readonly Mute[]
  quietHours: QuietHours | undefined
  storm?: Shield | undefined
}

// `isAlert`: it asks to be acknowledged.
export type Holdable = Pick<NotificationDraft, 'level' | 'source' | 'threadId'> & {
  push: boolean
  keyId: KeyId | null
  isAlert: boolean
}

// Undefined: it is pushed, unless its sender wants no push, which no rule touches.
export function heldBy(notification: Holdable, rules: HoldRules, now: Instant): Held | undefined {
  if (!notification.push || mustBeHeard(notification)) return undefined
  const { mutes, quietHours, storm } = rules
  const muted = mutedUntil(mutes, notification, now)
  if (muted !== undefined) return { reason: 'muted', until: muted }
  if (quietHours && !passesQuietHours(quietHours, notification.level)) {
    const until = quietUntil(quietHours, now)
    const { timezone, digest: isTold } = quietHours
    if (until !== undefined) return { reason: 'quiet_hours', until, timezone, isTold }
  }
  return storm && { reason: 'storm', shield: storm }
}

// These pass mutes, quiet hours and storm shields.
export const mustBeHeard = ({ level, isAlert }: Pick<Holdable, 'level' | 'isAlert'>): boolean =>
  isAlert || level === 'critical'

// The words of the timeline.
export function heldDetail(held: Held, now: Instant): string {
  switch (held.reason) {
    case 'muted':
      return `until ${toRfc3339(held.until)}`
    case 'quiet_hours':
      return `held until ${clockTime(held, now)}`
    case 'storm':
      return `more than ${held.shield.pushesPerMinute} pushes a minute`
  }
}

// With its date if it is more than a day ahead.
function clockTime({ until, timezone }: { until: Instant; timezone: string }, now: Instant): string {
  const [date, time] = new Date(toWallTime(until, timezone)).toISOString().slice(0, 16).split('T')
  return until < plusSeconds(now, DAY_SECONDS) ? `${time}` : `${date} ${time}`
}

// Mutes: a source, a thread or a key whose notifications are stored and not pushed until a time.
export type MuteId = string & { readonly of: 'mute' }

export const MUTE_KINDS = ['source', 'thread_id', 'key_id'] as const

export type MuteTarget = { kind: (typeof MUTE_KINDS)[number]; value: string }
export type Mute = MuteTarget & { id: MuteId; until: Instant; createdAt: Instant }

export function readMute(input: MuteInput, now: Instant): MuteTarget & { until: Instant } {
  const [target, ...others] = MUTE_KINDS.flatMap((kind) => {
    const value = input[kind]
    return value === undefined ? [] : [{ kind, value }]
  })
  if (!target || others.length > 0) {
    throw validationProblem([{ location: 'body', message: 'must have exactly one of source, thread_id and key_id' }])
  }
  const until = fromRfc3339(input.until)
  if (until > now && until <= plusSeconds(now, LIMITS.mute.maxDays * DAY_SECONDS)) return { ...target, until }
  const message = `must lie in the future, at most ${LIMITS.mute.maxDays} days ahead`
  throw validationProblem([{ location: 'body.until', message, value: input.until }])
}

export type Mutable = Pick<NotificationDraft, 'source' | 'threadId'> & { keyId: KeyId | null }

// When the mute that lasts longest ends; undefined if none applies.
export function mutedUntil(mutes: readonly Mute[], notification: Mutable, now: Instant): Instant | undefined {
  const values = { source: notification.source, thread_id: notification.threadId, key_id: notification.keyId }
  const ends = mutes.filter(({ kind, value, until }) => until > now && values[kind] === value).map(({ until }) => until)
  return ends.length === 0 ? undefined : ends.reduce(later)
}
