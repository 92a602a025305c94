// Decides at each run of housekeeping whether anything may be deleted for its age.
import type { Instant } from '../../domain/instant.ts'
import { isTrusted, nextRetentionClock } from '../../domain/retention-clock.ts'
import { findRetentionClock, saveRetentionClock } from '../../store/retention-clock.ts'
import type { Context } from '../context.ts'

export async function checkRetentionClock(ctx: Context, now: Instant): Promise<boolean> {
  const previous = await findRetentionClock(ctx.db.read)
  const clock = nextRetentionClock(previous, now)
  await ctx.db.transact((tx) => saveRetentionClock(tx, clock))
  if (isTrusted(clock, now)) return true
  const { lastRunAt } = previous ?? clock
  ctx.log.warn(
    { now, last_run_at: lastRunAt, trusted_from: clock.trustedFrom },
    'the clock has leapt; no notification is deleted for its age until it has agreed for a day',
  )
  return false
}
