// Mutes: a source, a thread or a key whose notifications are stored and not pushed until a time. Critical notifications and
// alerts that ask to be acknowledged are always pushed.
import { LIMITS } from '../../contract/limits.ts'
import type { MuteInput } from '../../contract/notifications/mute.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { KeyId } from '../caller.ts'
import { DAY_SECONDS } from '../duration.ts'
import { fromRfc3339, type Instant, plusSeconds } from '../instant.ts'
import type { NotificationDraft } from './notification.ts'

export type MuteId = string & { readonly of: 'mute' }

export const MUTE_KINDS = ['source', 'thread_id', 'key_id'] as const

export type MuteTarget = { kind: (typeof MUTE_KINDS)[number]; value: string }
export type Mute = MuteTarget & { id: MuteId; until: Instant; createdAt: Instant }

// Why a notification was stored and not pushed although its sender wanted it pushed.
export type Held = { reason: 'muted'; until: Instant }

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

export type Mutable = Pick<NotificationDraft, 'level' | 'source' | 'threadId'> & {
  keyId: KeyId | null
  isAlert: boolean
}

// The mute that lasts longest, if any applies.
export function heldBy(mutes: readonly Mute[], notification: Mutable, now: Instant): Held | undefined {
  if (notification.isAlert || notification.level === 'critical') return undefined
  const values = { source: notification.source, thread_id: notification.threadId, key_id: notification.keyId }
  const ends = mutes.filter(({ kind, value, until }) => until > now && values[kind] === value).map(({ until }) => until)
  const until = ends.sort((one, other) => other - one)[0]
  return until === undefined ? undefined : { reason: 'muted', until }
}
