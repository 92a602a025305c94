// Pages of the inbox, newest first. Without a filter, an index has the page. With a filter, the inbox is scanned in
// windows, each in a slice of its own, until the page is full or the budget is used up; such a page may have fewer
// items than `limit`, or none, and still a cursor.

import type { NotificationQuery } from '../../contract/notifications/inbox.ts'
import type { Caller, KeyCaller, UserId } from '../../domain/caller.ts'
import { decodeCursor, encodeCursor, type Page } from '../../domain/cursor.ts'
import { fromRfc3339 } from '../../domain/instant.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { type InboxFilter, listEntries } from '../../store/notifications/inbox-list.ts'
import { type InboxEntry, loadContents } from '../../store/notifications/notifications.ts'
import type { ShownNotification } from '../../views/notifications.ts'
import type { Context } from '../context.ts'
import { readCursor, readPage } from '../paging.ts'
import { matchingWindows, mostWindows } from './inbox-scan.ts'
import { withStates } from './states.ts'

// `resumeAt` is set where a scan ended before the end of the inbox.
type Found = { entries: InboxEntry[]; resumeAt?: string }

export async function readInboxPage(
  ctx: Context,
  caller: Caller,
  query: NotificationQuery,
): Promise<Page<ShownNotification>> {
  requireLevel(caller, 'notifications', 'send')
  const before = readCursor(query.cursor, decodeCursor) as NotificationId | undefined
  const page = await readNotifications(ctx, caller.userId, toFilter(caller, query), { before, limit: query.limit })
  return { ...page, items: await withStates(ctx.db.read, caller, page.items) }
}

// Notifications before that one, newest first.
export async function readNotifications(
  ctx: Context,
  userId: UserId,
  filter: InboxFilter,
  { before, limit }: { before: NotificationId | undefined; limit: number | undefined },
): Promise<Page<Notification>> {
  return readPage(limit, {
    find: async (count) =>
      isScanned(filter)
        ? scan(ctx, userId, filter, { before, limit: count })
        : { entries: await listEntries(ctx.db.read, userId, filter, { before }, count) },
    bytesOf: ({ bytes }) => bytes,
    load: (entries) => readContents(ctx, userId, entries),
    cursorAfter: ({ id }) => encodeCursor(id),
  })
}

// To read, parse and serialize 64 KB takes 2 ms. The requests of twenty connections arrive in one turn of the event loop, so
// more than this waits for a slice.
const LARGE_CONTENT_BYTES = 16 * 1024

export function readContents({ db, slices }: Context, userId: UserId, page: InboxEntry[]): Promise<Notification[]> {
  const read = () => loadContents(db.read, userId, page)
  const bytes = page.reduce((sum, entry) => sum + entry.bytes, 0)
  return bytes > LARGE_CONTENT_BYTES ? slices(userId, read) : read()
}

async function scan(
  ctx: Context,
  userId: UserId,
  filter: InboxFilter,
  { before, limit }: { before?: NotificationId; limit: number },
): Promise<Found> {
  const entries: InboxEntry[] = []
  let windows = 0
  for await (const window of matchingWindows(ctx, userId, filter, { before, limit })) {
    entries.push(...window.entries)
    if (entries.length >= limit) return { entries: entries.slice(0, limit) }
    if (++windows === mostWindows(filter)) return { entries, resumeAt: encodeCursor(window.from) }
  }
  return { entries }
}

// An index has each half of the inbox.
const isScanned = ({ half, ...conditions }: InboxFilter): boolean =>
  Object.values(conditions).some((condition) => condition !== undefined && condition !== false)

function toFilter(caller: Caller, query: NotificationQuery): InboxFilter {
  return {
    half: query.unread ? 'unread' : undefined,
    waiting: query.waiting,
    snoozed: query.snoozed,
    keyId: caller.kind === 'key' && seesOnlyItsOwn(caller, query) ? caller.keyId : undefined,
    orgId: query.org_id,
    source: query.source,
    threadId: query.thread_id,
    level: query.level,
    since: query.since === undefined ? undefined : fromRfc3339(query.since),
    until: query.until === undefined ? undefined : fromRfc3339(query.until),
    text: query.q,
  }
}

// A key that is limited to a part of an organization sees what it has sent itself. Every key sees only of its own
// notifications whether they wait for an answer.
const seesOnlyItsOwn = ({ target }: KeyCaller, { waiting }: NotificationQuery): boolean => target !== null || !!waiting
