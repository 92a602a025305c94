// What a person asks of the inbox: which notifications a change of many is about, and until when one is snoozed.

import { LIMITS } from '../../contract/limits.ts'
import type { ReadFilter, ReadInput, SnoozeInput } from '../../contract/notifications/inbox.ts'
import { validationProblem } from '../../contract/validation.ts'
import { DAY_SECONDS, fromRfc3339, type Instant, plusSeconds } from '../instant.ts'
import type { NotificationId } from './notification.ts'

export type Selection =
  | { kind: 'ids'; ids: NotificationId[] }
  | { kind: 'all' }
  | { kind: 'filter'; filter: ReadFilter }

export function selectionOf({ ids, all, filter }: ReadInput): Selection {
  const given: Selection[] = []
  if (ids) given.push({ kind: 'ids', ids })
  if (all) given.push({ kind: 'all' })
  if (filter) given.push({ kind: 'filter', filter })
  const [selection, ...others] = given
  if (selection && others.length === 0) return selection
  throw validationProblem([{ location: 'body', message: 'must have exactly one of ids, all and filter' }])
}

const { maxSnoozeDays } = LIMITS.notification

export function readSnooze(input: SnoozeInput, now: Instant): Instant {
  const until = fromRfc3339(input.until)
  if (until > now && until <= plusSeconds(now, maxSnoozeDays * DAY_SECONDS)) return until
  const message = `must lie in the future, at most ${maxSnoozeDays} days ahead`
  throw validationProblem([{ location: 'body.until', message, value: input.until }])
}
