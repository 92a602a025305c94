// Pushes one notification to one device and records the result: in the timeline, on the device, and by deleting a dead
// token.

import { isAnswerable } from '../../domain/answers/answer.ts'
import { makeTicket } from '../../domain/answers/answer-ticket.ts'
import type { UserId } from '../../domain/caller.ts'
import { isBarkAddress, type PushAddress } from '../../domain/devices.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Jobs, NotificationPushKind, PreparedPush } from '../../domain/jobs.ts'
import { isPushedTo, type Notification, type NotificationId } from '../../domain/notifications/notification.ts'
import {
  NOTIFICATION_KEPT_SECONDS,
  nextPushAttemptAt,
  PUSH_RETRY_SECONDS,
  type PushMessage,
  type PushResult,
  type PushRetries,
  SERVER_RETRY_SECONDS,
} from '../../domain/push.ts'
import { levelOfAlert } from '../../domain/receipts/escalation.ts'
import { isRepeatWanted } from '../../domain/receipts/receipt.ts'
import { clearRefusals, countRefusal } from '../../store/apps/links.ts'
import { recordPush } from '../../store/devices/devices.ts'
import { deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/devices/push-tokens.ts'
import { findDoorRecord } from '../../store/doors/records.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { countUnread } from '../../store/events/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import { insertTimeline, type NewTimelineEntry } from '../../store/notifications/timeline.ts'
import { findMembership } from '../../store/organizations/memberships.ts'
import { findReceipt, recordDelivery } from '../../store/receipts.ts'
import type { JobContext } from '../context.ts'
import { heldNow, recordHeld } from '../holds/hold.ts'
import type { JobResult } from '../job-result.ts'
import { barkMessageOf, pushToPhone } from '../push/bark.ts'

type PushJob = Job<NotificationPushKind>

export async function pushNotification(
  ctx: JobContext,
  { payload, failures }: PushJob,
  prepared?: PreparedPush,
): Promise<JobResult> {
  let read = prepared ?? (await prepare(ctx.db.read, payload))
  if (!read) return { done: true }
  const { notification, address } = read
  if (!isPushedTo(notification, address.deviceId)) return { done: true }
  const { repeat, wokenAt } = payload
  const sentAt = ctx.clock.now()
  if (repeat !== undefined) {
    const receipt = await findReceipt(ctx.db.read, ...atSender(notification))
    // An alert that was acknowledged since the repeat was enqueued must not sound again.
    if (!receipt || !isRepeatWanted(receipt, repeat, sentAt)) return { done: true }
    read = { ...read, notification: { ...notification, level: levelOfAlert(notification.level, receipt) } }
  }
  if (notification.org) {
    if (!(await isHeard(ctx.db.read, notification, sentAt))) return { done: true }
    // Members mute what an organization sends, and have quiet hours, like for what their own programs send. The organization
    // does not know who does, so it is looked up here and not when the notification is stored.
    const held = await heldNow(ctx.db.read, notification, repeat !== undefined, sentAt)
    if (held) return { done: true, record: (tx) => recordHeld(tx, notification, held, sentAt, address.deviceName) }
  }
  if (isBarkAddress(address) && address.isRemovalAsked && !isUrgent(notification)) {
    return { done: true, outcome: 'refused', record: (tx) => recordRemovalAsked(tx, notification, address, sentAt) }
  }
  const pushed = isBarkAddress(address)
    ? await pushToPhone(ctx, address, barkMessageOf(ctx, read, address, payload))
    : await ctx.pushTo(address, messageOf(ctx, read, payload))
  const now = ctx.clock.now()
  const result = toJobResult({ notification, address, pushed, repeat, wokenAt, failures, sentAt, now })
  if ('done' in result)
    ctx.dailyCounts.noteDelivery(address, pushed.result === 'accepted' ? 'accepted' : 'refused', now)
  return result
}

const isUrgent = ({ level }: Notification) => level === 'time-sensitive' || level === 'critical'

const recordRemovalAsked = (tx: Writer, { userId, id }: Notification, { deviceName }: PushAddress, at: Instant) =>
  insertTimeline(tx, userId, id, { at, event: 'held', device: deviceName, detail: 'removed in the Bark app?' })

// An entry has the receipt and the door's record of the organization's notification.
const atSender = ({ org, userId, id }: Notification): [UserId, NotificationId] =>
  org ? [org.id, org.notificationId] : [userId, id]

// The last look before the push: someone who has left the organization, or muted it, gets none.
async function isHeard(db: Reader, { org, userId }: Notification, now: Instant): Promise<boolean> {
  const membership = org && (await findMembership(db, org.id, userId))
  return membership !== undefined && (membership.mutedUntil === null || membership.mutedUntil <= now)
}

// Undefined if the notification or the token has been deleted since.
async function prepare(
  db: Reader,
  { userId, notificationId, deviceId, kind }: Jobs['push-notification'],
): Promise<PreparedPush | undefined> {
  const notification = await findNotification(db, userId, notificationId)
  const address = await findPushToken(db, userId, deviceId, kind)
  if (!notification || !address) return undefined
  const record = isBarkAddress(address) ? await findDoorRecord(db, ...atSender(notification)) : undefined
  return { notification, address, unread: await countUnread(db, userId), record }
}

function messageOf(
  { signingKey }: JobContext,
  { notification, unread: badge }: PreparedPush,
  { collapseId, repeat = 0, wokenAt }: Jobs['push-notification'],
): PushMessage {
  const ticket = isAnswerable(notification) ? makeTicket(signingKey, notification.id) : undefined
  return { kind: 'notification', notification, badge, ticket, collapseId, repeat, wokenAt }
}

type Attempt = {
  notification: Notification
  address: PushAddress
  pushed: PushResult
  repeat: number | undefined
  wokenAt: Instant | undefined
  failures: number
  sentAt: Instant
  now: Instant
}

function toJobResult(attempt: Attempt): JobResult {
  const { pushed, notification, wokenAt, failures, now } = attempt
  const retryAt = nextPushAttemptAt(pushed, failures, now, retriesOf(attempt))
  const isRetried =
    retryAt !== undefined && retryAt < plusSeconds(wokenAt ?? notification.createdAt, NOTIFICATION_KEPT_SECONDS)
  if (isRetried && 'notTried' in pushed) return { untriedUntil: retryAt }
  if (isRetried) return { retryAt, record: (tx) => recordAttempt(tx, attempt, true) }
  const outcome = pushed.result === 'accepted' ? 'accepted' : 'refused'
  return { done: true, outcome, record: (tx) => recordAttempt(tx, attempt, false) }
}

// A server of somebody else may be away for longer than Apple's. What must be seen is tried until it is too old.
function retriesOf({ address, notification, repeat }: Attempt): PushRetries {
  if (address.kind !== 'bark_server') return { delaysSeconds: PUSH_RETRY_SECONDS }
  return { delaysSeconds: SERVER_RETRY_SECONDS, isEndless: notification.level === 'critical' || repeat !== undefined }
}

async function recordAttempt(
  tx: Writer,
  { notification, address, pushed, repeat, sentAt, now }: Attempt,
  isRetried: boolean,
): Promise<void> {
  const { userId, deviceId, deviceName: device } = address
  const isAccepted = pushed.result === 'accepted'
  const error = isAccepted ? null : pushed.reason
  const entry: NewTimelineEntry = isAccepted
    ? {
        at: now,
        event: 'push_accepted',
        device,
        sentAt,
        detail: pushed.by && `handed to ${pushed.by}, not yet to Apple`,
      }
    : { at: now, event: isRetried ? 'retried' : 'push_rejected', device, sentAt, detail: pushed.reason }
  if (address.kind === 'bark_server') await countRefusals(tx, address, pushed)
  if (isAccepted && repeat !== undefined) await recordDelivery(tx, ...atSender(notification), now)
  await insertTimeline(tx, userId, notification.id, entry)
  await recordPush(tx, userId, deviceId, { at: now, error })
  if (pushed.result === 'device_gone') await deletePushTokenIfRegisteredBefore(tx, address, pushed.goneAt)
}

const REFUSALS_UNTIL_OFF = 3

// A server that refuses what it gets is not asked again until the owner wants it.
async function countRefusals(tx: Writer, address: PushAddress, { result }: PushResult): Promise<void> {
  const { userId, deviceId } = address
  if (result === 'accepted') return clearRefusals(tx, userId, deviceId)
  if (result !== 'rejected' || (await countRefusal(tx, userId, deviceId)) < REFUSALS_UNTIL_OFF) return
  await deletePushTokenIfRegisteredBefore(tx, address, undefined)
}
