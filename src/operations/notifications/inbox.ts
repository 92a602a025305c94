// The inbox: reads one notification, its timeline and the unread count. Lists are in inbox-pages.ts, changes in
// read-marks.ts and removal.ts.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { countUnread } from '../../store/events/feeds.ts'
import { findEntry, type InboxEntry } from '../../store/notifications/notifications.ts'
import { listTimeline, type TimelineEntry } from '../../store/notifications/timeline.ts'
import type { ShownNotification } from '../../views/notifications.ts'
import type { Context } from '../context.ts'
import { readContents } from './inbox-pages.ts'
import { withStates } from './states.ts'

export async function readNotification(ctx: Context, caller: Caller, id: NotificationId): Promise<ShownNotification> {
  const entry = await findVisible(ctx, caller, id)
  const [shown] = await withStates(ctx.db.read, caller, await readContents(ctx, caller.userId, [entry]))
  if (!shown) throw notificationNotFound(id)
  return shown
}

async function findVisible(ctx: Context, caller: Caller, id: NotificationId): Promise<InboxEntry> {
  requireLevel(caller, 'notifications', 'send')
  const entry = await findEntry(ctx.db.read, caller.userId, id)
  if (!entry || !isVisible(caller, entry)) throw notificationNotFound(id)
  return entry
}

// A key that is limited to a part of an organization sees what it has sent itself.
const isVisible = (caller: Caller, { keyId }: InboxEntry): boolean =>
  caller.kind !== 'key' || caller.target === null || keyId === caller.keyId

export async function unreadCount(ctx: Context, caller: Caller): Promise<number> {
  requireLevel(caller, 'notifications', 'send')
  return countUnread(ctx.db.read, caller.userId)
}

export type FullTimelineEntry = Omit<TimelineEntry, 'event'> & { event: TimelineEntry['event'] | 'accepted' | 'stored' }

export async function readTimeline(ctx: Context, caller: Caller, id: NotificationId): Promise<FullTimelineEntry[]> {
  const { createdAt } = await findVisible(ctx, caller, id)
  const entries = await listTimeline(ctx.db.read, caller.userId, id)
  return [{ at: createdAt, event: 'accepted' }, { at: createdAt, event: 'stored' }, ...entries]
}

export const notificationNotFound = (id: NotificationId) =>
  new Problem('notification.not_found', `There is no notification ${id}.`)
