// Pushes one notification to one device, and records what became of it: the timeline, the device, a dead address.

import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { isAnswerable } from '../../domain/notifications/answer.ts'
import { makeTicket } from '../../domain/notifications/answer-ticket.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { isRepeatWanted } from '../../domain/receipts/receipt.ts'
import type { KnownToPush } from '../../operations/notifications/store.ts'
import type { Outcome } from '../../push/channels/channel.ts'
import { webPushTopic, webPushUrgency } from '../../push/channels/web-push/web-push.ts'
import { apnsAlert, apnsHeadersFor, webPushMessage } from '../../push/payload/notification.ts'
import { pushId } from '../../push/payload/push-id.ts'
import { recordPush } from '../../store/devices.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { countUnread } from '../../store/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import { insertTimeline, type NewTimelineEntry } from '../../store/notifications/timeline.ts'
import { type DeviceToken, deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/push-tokens.ts'
import { findReceipt, recordDelivery } from '../../store/receipts.ts'
import { type Delivery, type JobResult, PUSH_DEADLINE_MS } from '../job.ts'
import { nextTryAt } from './push-retries.ts'

type Payload = {
  userId: UserId
  notificationId: NotificationId
  deviceId: DeviceId
  kind: 'alert' | 'web_push'
  collapseId?: string
  repeat?: number
}

const KEPT_SECONDS = 24 * 3600

export function deviceOf(job: Job): string {
  const { userId, deviceId } = job.payload as Payload
  return `${userId} ${deviceId}`
}

export const isForApple = (job: Job): boolean => (job.payload as Payload).kind === 'alert'

export async function pushNotification(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const payload = job.payload as Payload
  const known = (job.known as KnownToPush | undefined) ?? (await read(ctx.db.read, payload))
  if (!known) return { done: true }
  const { notification, address } = known
  const { repeat } = payload
  const sentAt = ctx.clock.now()
  if (repeat !== undefined) {
    const receipt = await findReceipt(ctx.db.read, notification.userId, notification.id)
    // Acknowledged meanwhile, for example: it must be quiet from then on.
    if (!receipt || !isRepeatWanted(receipt, repeat, sentAt)) return { done: true }
  }
  const outcome = await send(delivery, known, payload)
  return settled({ notification, address, outcome, repeat, attempt: job.attempt, sentAt, now: ctx.clock.now() })
}

// Nothing: deleted meanwhile, so there is nothing to show, or nowhere to show it.
async function read(db: Reader, { userId, notificationId, deviceId, kind }: Payload): Promise<KnownToPush | undefined> {
  const notification = await findNotification(db, userId, notificationId)
  const address = await findPushToken(db, userId, deviceId, kind)
  return notification && address && { notification, address, unread: await countUnread(db, userId) }
}

async function send(
  { ctx, apns, webPush }: Delivery,
  { notification, address, unread }: KnownToPush,
  { collapseId, repeat = 0 }: Pick<Payload, 'collapseId' | 'repeat'>,
): Promise<Outcome> {
  const answerable = isAnswerable(notification)
  const extras = { badge: unread, ticket: answerable ? makeTicket(ctx.signingKey, notification.id) : undefined }
  if (address.kind === 'web_push') {
    return webPush.push({
      endpoint: address.endpoint,
      keys: { p256dh: address.p256dh, auth: address.auth },
      payload: webPushMessage(notification, { ...extras, collapseId }),
      ttlSeconds: KEPT_SECONDS,
      urgency: webPushUrgency(notification.level),
      topic: collapseId === undefined ? undefined : webPushTopic(collapseId),
      deadlineMs: PUSH_DEADLINE_MS,
    })
  }
  if (!apns) return { result: 'rejected', reason: 'this server has no APNs key' }
  return apns.push({
    environment: address.environment,
    token: address.token,
    id: pushId(notification.id, address.deviceId, repeat),
    payload: apnsAlert(notification, extras),
    collapseId,
    deadlineMs: PUSH_DEADLINE_MS,
    ...apnsHeadersFor(notification),
  })
}

type Attempt = {
  notification: Notification
  address: DeviceToken
  outcome: Outcome
  repeat: number | undefined
  attempt: number
  sentAt: Instant
  now: Instant
}

function settled(attempt: Attempt): JobResult {
  const { outcome, notification, now } = attempt
  const again = nextTryAt(outcome, attempt.attempt, now)
  // Only while a push service would still keep it for a device that is away.
  const isWorthIt = again !== undefined && again < plusSeconds(notification.createdAt, KEPT_SECONDS)
  if (isWorthIt) return { again, accepted: false, record: (tx) => record(tx, attempt, true) }
  return { done: true, accepted: outcome.result === 'accepted', record: (tx) => record(tx, attempt, false) }
}

async function record(
  tx: Writer,
  { notification, address, outcome, repeat, sentAt, now }: Attempt,
  willRetry: boolean,
): Promise<void> {
  const { userId, deviceId, deviceName: device } = address
  const isAccepted = outcome.result === 'accepted'
  const error = isAccepted ? null : outcome.reason
  const result: NewTimelineEntry = isAccepted
    ? { at: now, event: 'push_accepted', device, sentAt }
    : { at: now, event: willRetry ? 'retried' : 'push_rejected', device, sentAt, detail: outcome.reason }
  if (isAccepted && repeat !== undefined) await recordDelivery(tx, userId, notification.id, now)
  await insertTimeline(tx, userId, notification.id, result)
  await recordPush(tx, userId, deviceId, { at: now, error })
  if (outcome.result === 'device_gone') await deletePushTokenIfRegisteredBefore(tx, address, outcome.goneAt)
}
