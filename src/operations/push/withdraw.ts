// Enqueues the job that removes the banners of read, deleted or acknowledged notifications from all devices.
import type { UserId } from '../../domain/caller.ts'
import { isPushAddress } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { listAddresses } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { countUnread } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { deleteDeadTokens } from './dead-tokens.ts'

export async function enqueueWithdrawal(
  tx: Writer,
  userId: UserId,
  ids: NotificationId[],
  now: Instant,
): Promise<void> {
  await enqueueJob(tx, { kind: 'withdraw-banners', payload: { userId, ids }, runAt: now })
}

// Removes the banners of notifications that were read or deleted from the other devices. Best effort: tried once.
export async function withdrawBanners(ctx: JobContext, { payload }: Job<'withdraw-banners'>): Promise<JobResult> {
  const { userId, ids } = payload
  // A device with an event stream gets the event that says so.
  const addresses = (await listAddresses(ctx.db.read, userId)).filter(isPushAddress)
  const message = { kind: 'withdrawal', ids, badge: await countUnread(ctx.db.read, userId) } as const
  const pushed = await Promise.all(
    addresses.map(async (address) => ({ address, result: await ctx.pushTo(address, message) })),
  )
  return { done: true, record: (tx) => deleteDeadTokens(tx, pushed, ctx.clock.now()) }
}
