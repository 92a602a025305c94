// The inbox: reads one notification and its timeline, marks notifications as read, and removes them. Lists are in
// inbox-pages.ts.
import { Problem } from '../../contract/problems.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel, requireUser } from '../../domain/permissions.ts'
import { listMessageNames } from '../../store/app-messages.ts'
import type { Writer } from '../../store/engine/database.ts'
import { adjustInbox, appendEvent, countUnread } from '../../store/feeds.ts'
import {
  deleteNotification,
  findNewestUnreadId,
  findNotification,
  markNewestRead,
  markRead,
} from '../../store/notifications/notifications.ts'
import { insertReadTimelines, listTimeline, type TimelineEntry } from '../../store/notifications/timeline.ts'
import { findReceiptForUpdate } from '../../store/receipts.ts'
import type { ShownNotification } from '../../views/notification.ts'
import type { Context } from '../context.ts'
import { enqueueRecall } from '../organizations/sends/recall.ts'
import { findShownSend } from '../organizations/sends/shown.ts'
import { orgCallerOf } from '../organizations/sends/target.ts'
import { endReceipts } from '../receipts/end.ts'
import { deletedEvent } from './deleted-event.ts'
import { enqueueWithdrawal } from './enqueue-withdrawal.ts'

export async function readNotification(ctx: Context, caller: Caller, id: NotificationId): Promise<ShownNotification> {
  requireLevel(caller, 'notifications', 'send')
  const notification = await findNotification(ctx.db.read, caller.userId, id)
  if (!notification || !isVisible(caller, notification)) throw notificationNotFound(id)
  return { notification, orgSend: orgCallerOf(caller) ? await findShownSend(ctx.db.read, id) : undefined }
}

// A key that is limited to a part of an organization sees what it has sent itself.
const isVisible = (caller: Caller, { keyId }: Notification): boolean =>
  caller.kind !== 'key' || caller.target === null || keyId === caller.keyId

export async function unreadCount(ctx: Context, caller: Caller): Promise<number> {
  requireLevel(caller, 'notifications', 'send')
  return countUnread(ctx.db.read, caller.userId)
}

export type FullTimelineEntry = Omit<TimelineEntry, 'event'> & { event: TimelineEntry['event'] | 'accepted' | 'stored' }

export async function readTimeline(ctx: Context, caller: Caller, id: NotificationId): Promise<FullTimelineEntry[]> {
  const { createdAt } = (await readNotification(ctx, caller, id)).notification
  const entries = await listTimeline(ctx.db.read, caller.userId, id)
  return [{ at: createdAt, event: 'accepted' }, { at: createdAt, event: 'stored' }, ...entries]
}

// Banners of read notifications are withdrawn from all devices. A phone shows no more than this many.
const WITHDRAWN_AT_ONCE = 100

export async function markAsRead(ctx: Context, caller: Caller, which: NotificationId[] | 'all'): Promise<number> {
  requireUser(caller)
  if (which === 'all') return markAllAsRead(ctx, caller.userId)
  if (which.length === 0) return 0
  const now = ctx.clock.now()
  return ctx.db.transact((tx) => markReadInInbox(tx, caller.userId, which, now))
}

// Returns how many of them were unread.
export async function markReadInInbox(
  tx: Writer,
  userId: UserId,
  which: NotificationId[],
  now: Instant,
): Promise<number> {
  const ids = await markRead(tx, userId, which, now)
  if (ids.length === 0) return 0
  await recordRead(tx, userId, ids, now)
  const event = { type: 'notification.read' as const, at: now, data: { ids } }
  await appendEvent(tx, userId, event, { unread: -ids.length, bytes: 0 })
  return ids.length
}

// Each batch takes a few milliseconds of SQLite's one writer.
const READ_BATCH = 500

// Works in batches, newest first, up to the newest unread notification at the start: later ones stay unread. After a
// crash, a repeated request finishes the rest. The event is appended with the last batch, when the unread count is
// right.
async function markAllAsRead(ctx: Context, userId: UserId): Promise<number> {
  const now = ctx.clock.now()
  const upTo = await findNewestUnreadId(ctx.db.read, userId)
  if (upTo === undefined) return 0
  let updated = 0
  for (let isLast = false; !isLast; ) {
    const batch = await ctx.slices(userId, () =>
      ctx.db.transact((tx) => markBatchAsRead(tx, userId, { upTo, alreadyUpdated: updated }, now)),
    )
    updated += batch.updated
    isLast = batch.isLast
  }
  return updated
}

async function markBatchAsRead(
  tx: Writer,
  userId: UserId,
  { upTo, alreadyUpdated }: { upTo: NotificationId; alreadyUpdated: number },
  now: Instant,
): Promise<{ updated: number; isLast: boolean }> {
  const ids = await markNewestRead(tx, userId, { upTo, limit: READ_BATCH }, now)
  const updated = ids.length
  if (alreadyUpdated === 0 && updated > 0) {
    await recordRead(tx, userId, ids.sort(newestFirst).slice(0, WITHDRAWN_AT_ONCE), now)
  }
  // The number of rows does not tell: on PostgreSQL a batch is smaller if another request has just marked some of its
  // rows.
  const isLast = (await findNewestUnreadId(tx, userId, upTo)) === undefined
  const delta = { unread: -updated, bytes: 0 }
  if (isLast && alreadyUpdated + updated > 0) {
    await appendEvent(tx, userId, { type: 'notification.read', at: now, data: { all: true } }, delta)
  } else await adjustInbox(tx, userId, delta)
  return { updated, isLast }
}

const newestFirst = (a: NotificationId, b: NotificationId) => b - a

async function recordRead(tx: Writer, userId: UserId, ids: NotificationId[], now: Instant): Promise<void> {
  await insertReadTimelines(tx, userId, ids, now)
  await enqueueWithdrawal(tx, userId, ids, now)
}

export async function removeNotification(ctx: Context, caller: Caller, id: NotificationId): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  const isRemoved = await ctx.db.transact((tx) => removeFor(tx, caller, id, now))
  if (!isRemoved) throw notificationNotFound(id)
}

// Removes the notification for every recipient. Returns false if there is no such notification.
export async function removeFor(tx: Writer, caller: Caller, id: NotificationId, now: Instant): Promise<boolean> {
  // The removal of a notification of an organization is its recall: its entries are removed in steps.
  if (orgCallerOf(caller)) await enqueueRecall(tx, caller.userId, id, now)
  return removeFromInbox(tx, caller.userId, id, now)
}

// Returns false if there is no such notification.
export async function removeFromInbox(tx: Writer, userId: UserId, id: NotificationId, now: Instant): Promise<boolean> {
  // Lock order: receipt, then notification. The receipt stays readable without its notification.
  const receipt = await findReceiptForUpdate(tx, userId, id)
  const [name] = await listMessageNames(tx, userId, [id])
  const deleted = await deleteNotification(tx, userId, id)
  if (!deleted) return false
  const ended = receipt ? await endReceipts(tx, [receipt], { status: 'canceled', reason: 'deleted' }, now) : []
  const delta = { unread: deleted.wasUnread ? -1 : 0, bytes: -deleted.bytes }
  await appendEvent(tx, userId, deletedEvent(id, name, now), delta)
  // A repeated alert may have a banner again after it was read.
  if (deleted.wasUnread || ended.length > 0) await enqueueWithdrawal(tx, userId, [id], now)
  return true
}

const notificationNotFound = (id: NotificationId) =>
  new Problem('notification.not_found', `There is no notification ${id}.`)
