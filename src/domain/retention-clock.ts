// Whether the clock can be trusted with deleting by age. A clock that leaps years ahead (a flat battery, a wrong time
// server) must not empty inboxes; a machine that was off for a month must still work.
import { DAY_SECONDS } from './duration.ts'
import { type Instant, plusSeconds } from './instant.ts'

// `trustedFrom`: until then nothing is deleted by age.
export type RetentionClock = { lastRunAt: Instant; trustedFrom: Instant }

// Runs are an hour apart. A longer gap is a shutdown or a leap; one of up to 35 days is taken for a shutdown.
const LONGEST_SHUTDOWN_SECONDS = 35 * DAY_SECONDS
const LARGEST_STEP_BACK_SECONDS = DAY_SECONDS
// After a leap, the operator has this long to set the clock right.
const WAIT_AFTER_LEAP_SECONDS = DAY_SECONDS

// What to remember of this run. `previous` is nothing on the first one.
export function nextRetentionClock(previous: RetentionClock | undefined, now: Instant): RetentionClock {
  if (!previous) return { lastRunAt: now, trustedFrom: now }
  const { lastRunAt, trustedFrom } = previous
  const hasLeapt =
    now > plusSeconds(lastRunAt, LONGEST_SHUTDOWN_SECONDS) || now < plusSeconds(lastRunAt, -LARGEST_STEP_BACK_SECONDS)
  return { lastRunAt: now, trustedFrom: hasLeapt ? plusSeconds(now, WAIT_AFTER_LEAP_SECONDS) : trustedFrom }
}

export const isTrusted = ({ trustedFrom }: RetentionClock, now: Instant): boolean => now >= trustedFrom
