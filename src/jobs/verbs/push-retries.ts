// When a push that may still succeed is tried again.
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Outcome } from '../../push/channels/channel.ts'

// After attempt n: seconds until attempt n + 1. When the list is used up the push is given up.
export const PUSH_RETRY_SECONDS = [1, 5, 30, 120] as const
// A push service may ask for any pause in its Retry-After, decades included.
const LONGEST_PAUSE_SECONDS = 24 * 3600

// Undefined if the push is not tried again.
export function nextTryAt(outcome: Outcome, attempt: number, now: Instant): Instant | undefined {
  const waitSeconds = PUSH_RETRY_SECONDS[attempt - 1]
  if (outcome.result !== 'try_later' || waitSeconds === undefined) return undefined
  const pauseSeconds = Math.min(outcome.afterSeconds ?? 0, LONGEST_PAUSE_SECONDS)
  return plusSeconds(now, Math.max(waitSeconds, pauseSeconds))
}
