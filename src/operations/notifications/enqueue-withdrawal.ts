// Enqueues the job that removes the banners of read, deleted or acknowledged notifications from all devices.
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob } from '../../store/jobs.ts'

export async function enqueueWithdrawal(
  tx: Writer,
  userId: UserId,
  ids: NotificationId[],
  now: Instant,
): Promise<void> {
  await enqueueJob(tx, { kind: 'withdraw-banners', payload: { userId, ids }, runAt: now })
}
