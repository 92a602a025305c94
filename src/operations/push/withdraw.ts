// Enqueues the job that removes the banners of read, deleted or acknowledged notifications from all devices.
import type { UserId } from '../../domain/caller.ts'
import { isBarkAddress, isPushAddress } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { listAddresses } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { countUnread } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { listBanners } from '../../store/notifications/notifications.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { deleteDeadTokens, type Pushed } from './dead-tokens.ts'

export async function enqueueWithdrawal(
  tx: Writer,
  userId: UserId,
  ids: NotificationId[],
  now: Instant,
  details: Pick<Jobs['withdraw-banners'], 'banners' | 'staysOnApps'> = {},
): Promise<void> {
  await enqueueJob(tx, { kind: 'withdraw-banners', payload: { userId, ids, ...details }, runAt: now })
}

// Removes the banners of notifications that were read or deleted from the other devices. Best effort: tried once.
export async function withdrawBanners(ctx: JobContext, { payload }: Job<'withdraw-banners'>): Promise<JobResult> {
  const { userId, ids, staysOnApps } = payload
  // A device with an event stream gets the event that says so.
  const all = await listAddresses(ctx.db.read, userId)
  const addresses = all.filter((address) => isPushAddress(address) && !isBarkAddress(address))
  const message = { kind: 'withdrawal', ids, badge: await countUnread(ctx.db.read, userId) } as const
  const pushed: Pushed[] = await Promise.all(
    addresses.map(async (address) => ({ address, result: await ctx.pushTo(address, message) })),
  )
  const isAtBark = !staysOnApps && all.some(isBarkAddress)
  const banners = isAtBark ? (payload.banners ?? (await listBanners(ctx.db.read, userId, ids))) : []
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      await deleteDeadTokens(tx, pushed, now)
      // Another node may have the key of the Bark app.
      if (isAtBark) await enqueueJob(tx, { kind: 'withdraw-from-bark', payload: { userId, banners }, runAt: now })
    },
  }
}
