// Removes notifications from the inbox: one, or some by their ids.
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Banner, NotificationId } from '../../domain/notifications/notification.ts'
import { requireUser } from '../../domain/permissions.ts'
import { listMessageNames } from '../../store/apps/messages.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvents } from '../../store/events/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { deleteNotifications } from '../../store/notifications/notifications.ts'
import { findSend } from '../../store/organizations/sends.ts'
import { listReceiptsForUpdate } from '../../store/receipts.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueWithdrawal } from '../push/withdraw.ts'
import { endReceipts } from '../receipts/end.ts'
import { orgCallerOf } from '../targets.ts'
import { deletedEvent, enqueueRecall } from './fan-out/recall.ts'
import { notificationNotFound } from './inbox.ts'

export async function removeNotification(ctx: Context, caller: Caller, id: NotificationId): Promise<void> {
  if ((await removeNotifications(ctx, caller, [id])) === 0) throw notificationNotFound(id)
}

// Entries of 90 KB take SQLite's one writer about 10 ms per batch.
const REMOVAL_BATCH = 20

// Returns the number of removed notifications; ids that the inbox does not have are ignored.
export async function removeNotifications(ctx: Context, caller: Caller, ids: NotificationId[]): Promise<number> {
  requireUser(caller)
  const now = ctx.clock.now()
  let removed = 0
  for (let start = 0; start < ids.length; start += REMOVAL_BATCH) {
    const batch = ids.slice(start, start + REMOVAL_BATCH)
    removed += await ctx.slices(caller.userId, () => ctx.db.transact((tx) => removeFor(tx, caller, batch, now)))
  }
  return removed
}

// Removes the notifications for every recipient. Returns how many there were.
export async function removeFor(tx: Writer, caller: Caller, ids: NotificationId[], now: Instant): Promise<number> {
  const { userId } = caller
  return (await (orgCallerOf(caller) ? recall : removeFromInbox)(tx, userId, ids, now)).length
}

// Deletes a notification whose sender has said for how long it is kept.
export async function deleteExpired(ctx: JobContext, { payload }: Job<'delete-notification'>): Promise<JobResult> {
  const { userId, notificationId: id, keepsBanners } = payload
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      const remove = (await findSend(tx, id)) ? recall : removeFromInbox
      await remove(tx, userId, [id], now, { keepsBanners })
    },
  }
}

// The removal of a notification of an organization is its recall: its entries are removed in steps.
async function recall(
  tx: Writer,
  userId: UserId,
  ids: NotificationId[],
  now: Instant,
  { keepsBanners } = WITHDRAWN,
): Promise<NotificationId[]> {
  const names = await namesById(tx, userId, ids)
  const removed = await removeFromInbox(tx, userId, ids, now)
  for (const id of removed) await enqueueRecall(tx, userId, id, { ...names.get(id), keepsBanners }, now)
  return removed
}

const WITHDRAWN = { keepsBanners: false }

const namesById = async (tx: Writer, userId: UserId, ids: NotificationId[]) =>
  new Map((await listMessageNames(tx, userId, ids)).map((name) => [name.notificationId, name]))

const bannerOf = ({ id, level, collapseId }: Banner): Banner => ({ id, level, collapseId })

// Returns the ids of those that were there. Lock order: receipts, then notifications. A receipt stays readable without
// its notification.
export async function removeFromInbox(
  tx: Writer,
  userId: UserId,
  ids: NotificationId[],
  now: Instant,
  { keepsBanners } = WITHDRAWN,
): Promise<NotificationId[]> {
  const receipts = await listReceiptsForUpdate(tx, userId, ids)
  const names = await namesById(tx, userId, ids)
  const deleted = await deleteNotifications(tx, userId, ids)
  if (deleted.length === 0) return []
  const removed = deleted.map(({ id }) => id)
  const orphaned = receipts.filter(({ notificationId }) => removed.includes(notificationId))
  const ended = await endReceipts(tx, orphaned, { status: 'canceled', reason: 'deleted' }, now)
  const unread = deleted.filter(({ wasUnread }) => wasUnread).map(({ id }) => id)
  const bytes = deleted.reduce((sum, one) => sum + one.bytes, 0)
  const events = removed.map((id) => deletedEvent(id, names.get(id), keepsBanners, now))
  await appendEvents(tx, userId, events, { unread: -unread.length, bytes: -bytes })
  // A repeated alert may have a banner again after it was read.
  const shown = new Set([...unread, ...ended.map(({ notificationId }) => notificationId)])
  const banners = deleted.filter(({ id }) => shown.has(id)).map(bannerOf)
  if (shown.size > 0 && !keepsBanners) await enqueueWithdrawal(tx, userId, [...shown], now, { banners })
  return removed
}
