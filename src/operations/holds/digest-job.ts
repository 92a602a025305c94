// When the digest of an account is sent: one waiting job at the end of its quiet time.
import type { UserId } from '../../domain/caller.ts'
import { quietUntil } from '../../domain/holds/quiet-hours.ts'
import type { Instant } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import type { Writer } from '../../store/engine/database.ts'
import { hasHeld } from '../../store/holds/held-notifications.ts'
import { findQuietHours } from '../../store/holds/quiet-hours.ts'
import { deleteWaitingJobs, enqueueJob } from '../../store/jobs.ts'

export async function enqueueDigest(tx: Writer, userId: UserId, runAt: Instant): Promise<void> {
  await enqueueJob(tx, { kind: 'send-digest', key: JOB_KEYS.digest(userId), payload: { userId }, runAt })
}

// After a change of the quiet hours, which may end sooner or later than before.
export async function moveDigest(tx: Writer, userId: UserId, now: Instant): Promise<void> {
  await deleteWaitingJobs(tx, [JOB_KEYS.digest(userId)])
  if (!(await hasHeld(tx, userId))) return
  const hours = await findQuietHours(tx, userId)
  await enqueueDigest(tx, userId, (hours && quietUntil(hours, now)) ?? now)
}
