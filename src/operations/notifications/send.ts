// Sends a notification: stores it, then pushes it while the sender waits. The worker goes on with pushes that take longer.

import type { NotificationInput } from '../../contract/notifications/notification.ts'
import { Problem } from '../../contract/problems.ts'
import { isAnswerable } from '../../domain/answers/answer.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import { deliveryOf } from '../../domain/notifications/delivery.ts'
import { type IncomingNotification, isPushedTo, type NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import type { Group } from '../../store/engine/database.ts'
import { findNotification, reserveNotificationId } from '../../store/notifications/notifications.ts'
import { listAddresses } from '../../store/push-tokens.ts'
import { findReceipt } from '../../store/receipts.ts'
import { type SentNotification, sentNotificationView } from '../../views/notifications.ts'
import { afterCommit } from '../after-commit.ts'
import type { ClaimedJob, Context } from '../context.ts'
import { withHolds } from '../holds/hold.ts'
import { type Idempotent, type IdempotentRequest, idempotently } from '../idempotency.ts'
import { rehearseForOrganization, sendToOrganization } from '../organizations/sends/send.ts'
import { orgCallerOf } from '../organizations/sends/target.ts'
import { quotaEffect } from '../quota.ts'
import { enqueueClaimedPushes } from './enqueue-pushes.ts'
import { PUSH_PATIENCE_MS } from './patience.ts'
import {
  composeMessage,
  type Message,
  type RehearsedNotification,
  requireActivity,
  type Stored,
  storeNotification,
} from './store.ts'

export type ReservedId = Promise<NotificationId | undefined>

// Saves the transaction of a send a round trip to PostgreSQL, if another one is made anyway, such as that for the token.
export const beginSending = (ctx: Context): ReservedId => reserveNotificationId(ctx.db)

export async function sendNotification(
  ctx: Context,
  caller: Caller,
  input: IncomingNotification,
  request?: IdempotentRequest,
  reserving?: ReservedId,
): Promise<Idempotent<SentNotification>> {
  requirePermission(caller, input)
  const organization = orgCallerOf(caller)
  if (organization) return sendToOrganization(ctx, organization, input, request)
  const sender = senderOf(caller)
  const now = ctx.clock.now()
  const composed = composeMessage(ctx, sender, input)
  // Asked at the same time, which is one round trip to PostgreSQL.
  const [message, all, reservedId] = await Promise.all([
    withHolds(ctx.db.read, sender, composed, now),
    composed.push ? listAddresses(ctx.db.read, caller.userId) : [],
    reserving ?? (composed.push ? beginSending(ctx) : undefined),
  ])
  const addresses = message.push ? all.filter(({ deviceId }) => isPushedTo(message.draft, deviceId)) : []
  return idempotently(ctx, caller, request, {
    now,
    group: groupOf(caller, message),
    commit: async (tx) => {
      await requireActivity(tx, caller, message.draft.activitySlug)
      const stored = await storeNotification(tx, sender, { ...message, reservedId }, now)
      const jobs = await enqueueClaimedPushes(tx, stored, stored.notification.pushed ? addresses : [], now)
      return { resourceId: stored.notification.id, complete: () => pushNow(ctx, stored, jobs) }
    },
    recover: (id) => readSent(ctx, caller, id as NotificationId),
    view: sentNotificationView,
  })
}

// A send locks the usage of its account, if it is pushed, or the job of the digest, if quiet hours hold it, and then the feed.
// Alerts lock receipts too, and e-mails the usage of their own. Storm shields decide by the row that the send before has changed.
function groupOf({ userId }: Caller, { push, held, acknowledge, email, shields = [] }: Message): Group | undefined {
  if (acknowledge || email) return undefined
  if (push && shields.length > 0) return { key: `storm:${shields.map(({ id }) => id).join()}`, row: 'storm' }
  return { key: `${push ? 'push' : (held?.reason ?? 'inbox')}:${userId}` }
}

async function pushNow(
  ctx: Context,
  { notification, ...stored }: Stored,
  jobs: ClaimedJob[],
): Promise<SentNotification> {
  ctx.dailyCounts.noteSent(notification, stored.held?.reason ?? 'sent', notification.createdAt)
  const outcomes = jobs.length > 0 ? await ctx.runNow(jobs, PUSH_PATIENCE_MS) : []
  // Read again, because the push has changed it.
  const receipt =
    stored.receipt &&
    (await afterCommit(findReceipt(ctx.db.read, notification.userId, notification.id), stored.receipt))
  const delivery = deliveryOf(outcomes, notification.pushed, stored.held)
  return { notification, delivery, answerable: isAnswerable(notification), receipt, quota: stored.quota }
}

export async function rehearseNotification(
  ctx: Context,
  caller: Caller,
  input: IncomingNotification,
): Promise<RehearsedNotification> {
  requirePermission(caller, input)
  const organization = orgCallerOf(caller)
  if (organization) return rehearseForOrganization(ctx, organization, input)
  const sender = senderOf(caller)
  const now = ctx.clock.now()
  const message = await withHolds(ctx.db.read, sender, composeMessage(ctx, sender, input), now)
  const { quota, ...stored } = await ctx.db.rehearse(async (tx) => {
    await requireActivity(tx, caller, message.draft.activitySlug)
    const stored = await storeNotification(tx, sender, message, now)
    return {
      ...stored,
      quota: stored.notification.pushed ? await quotaEffect(tx, sender, 'notifications', now) : undefined,
    }
  })
  const { notification, collapseId } = stored
  const { pushed } = notification
  const pushes = pushed ? ctx.push.preview({ kind: 'notification', notification, collapseId }) : []
  const reason = pushed ? undefined : deliveryOf([], false, stored.held).reason
  return { ...stored, effects: { pushes, quota, reason } }
}

export function requirePermission(
  caller: Caller,
  { activity_slug }: NotificationInput,
  level: 'send' | 'schedule' = 'send',
): void {
  requireLevel(caller, 'notifications', level)
  if (!activity_slug) return
  requireLevel(caller, 'activities', 'read')
  requireSlug(caller, 'activities', activity_slug)
}

async function readSent(ctx: Context, { userId }: Caller, id: NotificationId): Promise<SentNotification> {
  const notification = await findNotification(ctx.db.read, userId, id)
  if (!notification) {
    throw new Problem('notification.not_found', 'The notification of the first request has been deleted.')
  }
  const delivery = deliveryOf(notification.pushed ? ['open'] : [], notification.pushed)
  const receipt = await findReceipt(ctx.db.read, userId, id)
  return { notification, delivery, answerable: isAnswerable(notification), receipt }
}
