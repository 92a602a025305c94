// Sending a notification: stored first, then pushed while the sender waits, then pushed without it.

import type { NotificationInput } from '../../contract/notification.ts'
import { Problem } from '../../contract/problems.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import { type Delivery, deliveryOf, isAnswerable, type Notification } from '../../domain/notifications/notification.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import { type IdempotencyKey, updateIdempotencyKey } from '../../store/idempotency.ts'
import { findNotification } from '../../store/notifications/notifications.ts'
import { listAddresses } from '../../store/push-tokens.ts'
import { findReceipt } from '../../store/receipts.ts'
import type { Context } from '../context.ts'
import { claimOrRecall } from '../idempotency.ts'
import { type QuotaEffect, quotaEffect } from '../quota.ts'
import { enqueueClaimedPushes } from './enqueue-pushes.ts'
import { composeMessage, requireActivity, type Stored, storeNotification } from './store.ts'

export type Sent = { notification: Notification; delivery: Delivery; answerable: boolean; receipt?: Receipt }
// What a replayed request gets: the stored answer, or the notification if its first answer was lost in a crash.
export type Replay = { stored: string } | { sent: Sent }

// Some clients give up after four seconds.
const PATIENCE_MS = 3000

export async function sendNotification(
  ctx: Context,
  caller: Caller,
  input: NotificationInput,
  once?: IdempotencyKey,
): Promise<{ sent: Sent } | { replay: Replay }> {
  requirePermission(caller, input)
  const sender = senderOf(caller)
  const message = composeMessage(ctx, sender, input)
  const now = ctx.clock.now()
  const addresses = message.push ? await listAddresses(ctx.db.read, caller.userId) : []
  const stored = await ctx.db.transact(async (tx) => {
    const known = once && (await claimOrRecall(tx, once, now))
    if (known) return { known }
    await requireActivity(tx, caller.userId, message.draft.activitySlug)
    const stored = await storeNotification(tx, sender, message, now)
    if (once) await updateIdempotencyKey(tx, once, { resourceId: stored.notification.id })
    return { jobs: await enqueueClaimedPushes(tx, stored, addresses, now), ...stored }
  })
  if (stored.known) return { replay: await recall(ctx, caller, stored.known) }
  const { notification, jobs } = stored
  const outcomes = jobs.length > 0 ? await ctx.runNow(jobs, PATIENCE_MS) : []
  // As it is after the push.
  const receipt = stored.receipt && (await findReceipt(ctx.db.read, caller.userId, notification.id))
  const delivery = deliveryOf(outcomes, message.push)
  return { sent: { notification, delivery, answerable: isAnswerable(message.draft), receipt } }
}

export type Rehearsed = Stored & { quota?: QuotaEffect }

export async function rehearseNotification(ctx: Context, caller: Caller, input: NotificationInput): Promise<Rehearsed> {
  requirePermission(caller, input)
  const sender = senderOf(caller)
  const message = composeMessage(ctx, sender, input)
  const now = ctx.clock.now()
  return ctx.db.rehearse(async (tx) => {
    await requireActivity(tx, caller.userId, message.draft.activitySlug)
    const stored = await storeNotification(tx, sender, message, now)
    return { ...stored, quota: message.push ? await quotaEffect(tx, sender, 'notifications', now) : undefined }
  })
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

async function recall(
  ctx: Context,
  caller: Caller,
  known: { answer: string | null; resourceId: number | null },
): Promise<Replay> {
  if (known.answer !== null) return { stored: known.answer }
  const notification = await findNotification(ctx.db.read, caller.userId, known.resourceId as Notification['id'])
  if (!notification)
    throw new Problem('notification.not_found', 'The notification of the first request has been deleted.')
  const delivery = deliveryOf(notification.pushed ? ['open'] : [], notification.pushed)
  const receipt = await findReceipt(ctx.db.read, caller.userId, notification.id)
  return { sent: { notification, delivery, answerable: isAnswerable(notification), receipt } }
}
