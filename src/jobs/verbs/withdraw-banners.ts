// Takes the banners of notifications that were read or deleted off the other devices. Best effort: tried once.
import type { UserId } from '../../domain/caller.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Outcome } from '../../push/channels/channel.ts'
import { apnsWithdraw, webPushWithdraw } from '../../push/payload/withdrawal.ts'
import { newUuid } from '../../runtime/ids.ts'
import { countUnread } from '../../store/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { type DeviceToken, isPushAddress, listAddresses } from '../../store/push-tokens.ts'
import { type Delivery, type JobResult, PUSH_DEADLINE_MS } from '../job.ts'
import { forgetTheGone } from './delete-dead-tokens.ts'

type Payload = { userId: UserId; ids: NotificationId[] }
type News = { ids: NotificationId[]; unread: number }

const KEPT_SECONDS = 3600

export async function withdrawBanners(delivery: Delivery, job: Job): Promise<JobResult> {
  const { userId, ids } = job.payload as Payload
  const { ctx } = delivery
  // Streams say by themselves what was read or deleted.
  const addresses = (await listAddresses(ctx.db.read, userId)).filter(isPushAddress)
  const news = { ids, unread: await countUnread(ctx.db.read, userId) }
  const pushed = await Promise.all(
    addresses.map(async (address) => ({ address, outcome: await withdraw(delivery, address, news) })),
  )
  return { done: true, record: (tx) => forgetTheGone(tx, pushed, ctx.clock.now()) }
}

async function withdraw({ apns, webPush }: Delivery, address: DeviceToken, { ids, unread }: News): Promise<Outcome> {
  if (address.kind === 'web_push') {
    return webPush.push({
      endpoint: address.endpoint,
      keys: { p256dh: address.p256dh, auth: address.auth },
      payload: webPushWithdraw(ids, unread),
      ttlSeconds: KEPT_SECONDS,
      urgency: 'low',
      deadlineMs: PUSH_DEADLINE_MS,
    })
  }
  if (!apns) return { result: 'rejected', reason: 'this server has no APNs key' }
  return apns.push({
    environment: address.environment,
    token: address.token,
    type: 'background',
    priority: 5,
    id: newUuid(),
    payload: apnsWithdraw(ids, unread),
    deadlineMs: PUSH_DEADLINE_MS,
  })
}
