// One push about an activity over the channel that an address belongs to.

import type { Outcome } from '../../push/channels/channel.ts'
import { webPushTopic } from '../../push/channels/web-push/web-push.ts'
import { type ActivityPush, apnsActivity, isAlerting, webPushActivity } from '../../push/payload/activity.ts'
import { uuidBytes, uuidV5 } from '../../push/payload/push-id.ts'
import type { DeviceToken } from '../../store/push-tokens.ts'
import { type Delivery, PUSH_DEADLINE_MS } from '../job.ts'

// As long as an activity lasts at most.
const KEPT_SECONDS = 8 * 3600

export async function sendActivity(
  { apns, webPush }: Delivery,
  address: DeviceToken,
  push: ActivityPush,
): Promise<Outcome> {
  const { id } = push.activity
  if (address.kind === 'web_push') {
    return webPush.push({
      endpoint: address.endpoint,
      keys: { p256dh: address.p256dh, auth: address.auth },
      payload: webPushActivity(push),
      ttlSeconds: KEPT_SECONDS,
      urgency: isAlerting(push) ? 'high' : 'low',
      topic: webPushTopic(`activity ${id}`),
      deadlineMs: PUSH_DEADLINE_MS,
    })
  }
  if (!apns) return { result: 'rejected', reason: 'this server has no APNs key' }
  return apns.push({
    environment: address.environment,
    token: address.token,
    type: 'liveactivity',
    id: uuidV5(uuidBytes(id), `${push.timestamp}/${push.event}/${address.deviceId}`),
    priority: isAlerting(push) ? 10 : 5,
    payload: apnsActivity(push),
    deadlineMs: PUSH_DEADLINE_MS,
  })
}
