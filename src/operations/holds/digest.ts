// The digest: one push at the end of the quiet time that tells what was held and is still unread.
import { digestOf, NO_QUIET_HOURS, quietUntil } from '../../domain/holds/quiet-hours.ts'
import { findUser } from '../../store/accounts/accounts.ts'
import { takeHeld } from '../../store/holds/held-notifications.ts'
import { findQuietHours } from '../../store/holds/quiet-hours.ts'
import type { Job } from '../../store/jobs.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueDigest } from './digest-job.ts'
import { sendOwnMessage } from './own-message.ts'

// It may be quiet again: the server was down, or the person has changed the hours.
export async function sendDigest(ctx: JobContext, { payload: { userId } }: Job<'send-digest'>): Promise<JobResult> {
  const now = ctx.clock.now()
  const hours = (await findQuietHours(ctx.db.read, userId)) ?? NO_QUIET_HOURS
  const until = quietUntil(hours, now)
  if (until !== undefined) return { done: true, record: (tx) => enqueueDigest(tx, userId, until) }
  return {
    done: true,
    record: async (tx) => {
      const account = await findUser(tx, userId)
      const held = account ? await takeHeld(tx, userId) : []
      if (account && hours.digest && held.length > 0) await sendOwnMessage(ctx, tx, account, digestOf(held), now)
    },
  }
}
