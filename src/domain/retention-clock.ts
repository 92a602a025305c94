// Decides whether the clock can be trusted with deleting by age. A clock that jumps years ahead (a flat battery, a
// wrong time server) must not empty inboxes; a machine that was off for a month must still work.
import { DAY_SECONDS, type Instant, plusSeconds } from './instant.ts'

// Nothing is deleted by age before `trustedFrom`.
export type RetentionClock = { lastRunAt: Instant; trustedFrom: Instant }

// Runs are an hour apart. A gap of up to 35 days is taken for a shutdown, a longer one for a jump of the clock.
const LONGEST_SHUTDOWN_SECONDS = 35 * DAY_SECONDS
const LARGEST_STEP_BACK_SECONDS = DAY_SECONDS
// After a jump, the operator has this long to correct the clock.
const WAIT_AFTER_LEAP_SECONDS = DAY_SECONDS

// The state to store after this run. `previous` is undefined on the first run.
export function nextRetentionClock(previous: RetentionClock | undefined, now: Instant): RetentionClock {
  if (!previous) return { lastRunAt: now, trustedFrom: now }
  const { lastRunAt, trustedFrom } = previous
  const hasLeapt =
    now > plusSeconds(lastRunAt, LONGEST_SHUTDOWN_SECONDS) || now < plusSeconds(lastRunAt, -LARGEST_STEP_BACK_SECONDS)
  return { lastRunAt: now, trustedFrom: hasLeapt ? plusSeconds(now, WAIT_AFTER_LEAP_SECONDS) : trustedFrom }
}

export const isTrusted = ({ trustedFrom }: RetentionClock, now: Instant): boolean => now >= trustedFrom
