// The inbox: reading it, marking as read, deleting, and what happened to a notification on its way.
import { LIMITS } from '../contract/limits.ts'
import type { NotificationQuery } from '../contract/notification.ts'
import { Problem } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import { decodeCursor, encodeCursor } from '../domain/cursor.ts'
import { fromRfc3339 } from '../domain/instant.ts'
import type { Notification, NotificationId } from '../domain/notification.ts'
import { requireLevel, requireUser } from '../domain/permissions.ts'
import { appendEvent, countUnread } from '../store/feeds.ts'
import {
  deleteNotification,
  findNotification,
  type InboxFilter,
  listNotifications,
  markAllRead,
  markRead,
} from '../store/notifications.ts'
import { findReceiptForUpdate } from '../store/receipts.ts'
import { insertTimeline, listTimeline, type TimelineEntry } from '../store/timeline.ts'
import type { Context } from './context.ts'
import { endReceipts } from './end-receipts.ts'
import { withdrawBanners } from './withdraw-banners.ts'

export type InboxPage = { items: Notification[]; nextCursor?: string }

// One row more than the page tells whether there is a next one.
export async function listInbox(ctx: Context, caller: Caller, query: NotificationQuery): Promise<InboxPage> {
  requireLevel(caller, 'notifications', 'send')
  const limit = query.limit ?? LIMITS.pageItemsDefault
  const rows = await listNotifications(ctx.db.read, caller.userId, toFilter(query), limit + 1)
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, nextCursor: last && encodeCursor(last.id) }
}

export async function readNotification(ctx: Context, caller: Caller, id: NotificationId): Promise<Notification> {
  requireLevel(caller, 'notifications', 'send')
  const notification = await findNotification(ctx.db.read, caller.userId, id)
  if (!notification) throw notificationNotFound(id)
  return notification
}

export async function unreadCount(ctx: Context, caller: Caller): Promise<number> {
  requireLevel(caller, 'notifications', 'send')
  return countUnread(ctx.db.read, caller.userId)
}

export type FullTimelineEntry = Omit<TimelineEntry, 'event'> & { event: TimelineEntry['event'] | 'accepted' | 'stored' }

export async function readTimeline(ctx: Context, caller: Caller, id: NotificationId): Promise<FullTimelineEntry[]> {
  const { createdAt } = await readNotification(ctx, caller, id)
  const entries = await listTimeline(ctx.db.read, caller.userId, id)
  return [{ at: createdAt, event: 'accepted' }, { at: createdAt, event: 'stored' }, ...entries]
}

// The banners of what was read go away on the other devices too; a phone shows no more than this many.
const WITHDRAWN_AT_ONCE = 100

export async function markAsRead(ctx: Context, caller: Caller, which: NotificationId[] | 'all'): Promise<number> {
  requireUser(caller)
  if (which.length === 0) return 0
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const filter = { unread: true }
    const newest = which === 'all' ? await listNotifications(tx, caller.userId, filter, WITHDRAWN_AT_ONCE) : []
    const ids = which === 'all' ? newest.map(({ id }) => id) : await markRead(tx, caller.userId, which, now)
    const updated = which === 'all' ? await markAllRead(tx, caller.userId, now) : ids.length
    if (updated === 0) return 0
    for (const id of ids) await insertTimeline(tx, caller.userId, id, { at: now, event: 'read' })
    const data = which === 'all' ? { all: true } : { ids }
    await appendEvent(tx, caller.userId, { type: 'notification.read', at: now, data }, -updated)
    await withdrawBanners(tx, caller.userId, ids, now)
    return updated
  })
}

export async function removeNotification(ctx: Context, caller: Caller, id: NotificationId): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    // Taken first, as everyone does who takes both; it stays readable without its notification.
    const receipt = await findReceiptForUpdate(tx, caller.userId, id)
    const deleted = await deleteNotification(tx, caller.userId, id)
    if (!deleted) throw notificationNotFound(id)
    const ended = receipt ? await endReceipts(tx, [receipt], { status: 'canceled', reason: 'deleted' }, now) : []
    const delta = deleted.wasUnread ? -1 : 0
    await appendEvent(tx, caller.userId, { type: 'notification.deleted', at: now, data: { id } }, delta)
    // A repeat brings the banner back to what was read.
    if (deleted.wasUnread || ended.length > 0) await withdrawBanners(tx, caller.userId, [id], now)
  })
}

function toFilter(query: NotificationQuery): InboxFilter {
  return {
    before: query.cursor === undefined ? undefined : cursorPosition(query.cursor),
    unread: query.unread,
    source: query.source,
    threadId: query.thread_id,
    level: query.level,
    since: query.since === undefined ? undefined : fromRfc3339(query.since),
    until: query.until === undefined ? undefined : fromRfc3339(query.until),
    text: query.q,
  }
}

function cursorPosition(cursor: string): NotificationId {
  const id = decodeCursor(cursor)
  if (id === undefined) throw new Problem('cursor.invalid', 'query.cursor is not one that this list gave out.')
  return id as NotificationId
}

const notificationNotFound = (id: NotificationId) =>
  new Problem('notification.not_found', `There is no notification ${id}.`)
