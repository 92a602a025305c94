// Mutes: a source, a thread or a key whose notifications are stored and not pushed until a time.

import type { MuteInput } from '../../contract/holds.ts'
import { LIMITS } from '../../contract/limits.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { KeyId } from '../caller.ts'
import { DAY_SECONDS, fromRfc3339, type Instant, later, plusSeconds } from '../instant.ts'
import type { NotificationDraft } from '../notifications/notification.ts'

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
