// Removes the banners of notifications that were read or deleted from the other devices. Best effort: tried once.
import { isPushAddress } from '../../domain/device.ts'
import { countUnread } from '../../store/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { listAddresses } from '../../store/push-tokens.ts'
import type { JobContext } from '../context.ts'
import { deleteDeadTokens } from '../dead-tokens.ts'
import type { JobResult } from '../job-result.ts'

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
