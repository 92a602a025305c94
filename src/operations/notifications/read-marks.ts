// Marks notifications as read and as unread again, by their ids, by a filter, or all of them.
import type { ReadFilter, ReadInput } from '../../contract/notifications/inbox.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import { fromRfc3339, type Instant, instant } from '../../domain/instant.ts'
import { type Selection, selectionOf } from '../../domain/notifications/inbox.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { requireUser } from '../../domain/permissions.ts'
import type { Writer } from '../../store/engine/database.ts'
import { adjustInbox, appendEvent } from '../../store/events/feeds.ts'
import type { InboxFilter } from '../../store/notifications/inbox-list.ts'
import { findNewestUnreadId, markNewestRead, markRead, markUnread } from '../../store/notifications/notifications.ts'
import { insertReadTimelines } from '../../store/notifications/timeline.ts'
import type { Context } from '../context.ts'
import { enqueueWithdrawal } from '../push/withdraw.ts'
import { matchingWindows } from './inbox-scan.ts'

// Returns the number of notifications that changed.
export async function markAsRead(
  ctx: Context,
  caller: Caller,
  { unread = false, ...input }: ReadInput,
): Promise<number> {
  requireUser(caller)
  const selection = selectionOf(input)
  if (selection.kind === 'ids') return markSome(ctx, caller.userId, selection.ids, unread)
  if (selection.kind === 'all' && !unread) return markAllAsRead(ctx, caller.userId)
  return markMatching(ctx, caller.userId, selection, unread)
}

async function markSome(ctx: Context, userId: UserId, ids: NotificationId[], unread: boolean): Promise<number> {
  if (ids.length === 0) return 0
  const mark = unread ? markUnreadInInbox : markReadInInbox
  const now = ctx.clock.now()
  return ctx.db.transact((tx) => mark(tx, userId, ids, now))
}

// Banners of read notifications are withdrawn from all devices. A phone shows no more than this many.
const WITHDRAWN_AT_ONCE = 100

// Returns how many of them were unread.
export async function markReadInInbox(
  tx: Writer,
  userId: UserId,
  which: NotificationId[],
  now: Instant,
): Promise<number> {
  const ids = (await markRead(tx, userId, which, now)).sort(newestFirst)
  if (ids.length === 0) return 0
  await recordRead(tx, userId, ids.slice(0, WITHDRAWN_AT_ONCE), now)
  const event = { type: 'notification.read' as const, at: now, data: { ids } }
  await appendEvent(tx, userId, event, { unread: -ids.length, bytes: 0 })
  return ids.length
}

// Returns how many of them were read.
export async function markUnreadInInbox(
  tx: Writer,
  userId: UserId,
  which: NotificationId[],
  now: Instant,
): Promise<number> {
  const ids = (await markUnread(tx, userId, which)).sort(newestFirst)
  if (ids.length === 0) return 0
  const event = { type: 'notification.unread' as const, at: now, data: { ids } }
  await appendEvent(tx, userId, event, { unread: ids.length, bytes: 0 })
  return ids.length
}

// Works in windows, newest first, each with an event of its own. After a crash, a repeated request finishes the rest.
async function markMatching(
  ctx: Context,
  userId: UserId,
  selection: Exclude<Selection, { kind: 'ids' }>,
  unread: boolean,
): Promise<number> {
  const filter: InboxFilter = {
    ...(selection.kind === 'filter' && toInboxFilter(selection.filter)),
    half: unread ? 'read' : 'unread',
  }
  let updated = 0
  for await (const { entries } of matchingWindows(ctx, userId, filter)) {
    const ids = entries.map(({ id }) => id)
    updated += await ctx.slices(userId, () => markSome(ctx, userId, ids, unread))
  }
  return updated
}

const toInboxFilter = ({ level, source, thread_id, q, before }: ReadFilter): InboxFilter => ({
  level,
  source,
  threadId: thread_id,
  text: q,
  until: before === undefined ? undefined : instant(fromRfc3339(before) - 1),
})

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
