// Pages of the inbox, newest first. Without a filter, an index has the page. With a filter, the inbox is scanned in
// windows, each in a slice of its own, until the page is full or the budget is used up; such a page may have fewer
// items than `limit`, or none, and still a cursor.

import type { NotificationQuery } from '../../contract/notification.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import { decodeCursor, encodeCursor, type Page } from '../../domain/cursor.ts'
import { DAY_SECONDS } from '../../domain/duration.ts'
import { fromRfc3339, type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel } from '../../domain/permissions.ts'
import {
  findEntryBefore,
  findWindow,
  type InboxFilter,
  listEntries,
  type Window,
} from '../../store/notifications/inbox-list.ts'
import { type InboxEntry, loadContents } from '../../store/notifications/notifications.ts'
import type { ShownNotification } from '../../views/notification.ts'
import type { Context } from '../context.ts'
import { findShownSend } from '../organizations/sends/shown.ts'
import { orgCallerOf } from '../organizations/sends/target.ts'
import { readCursor, readPage } from '../paging.ts'

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
  return { ...page, items: await withSends(ctx, caller, page.items) }
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

async function withSends(ctx: Context, caller: Caller, page: Notification[]): Promise<ShownNotification[]> {
  if (!orgCallerOf(caller)) return page.map((notification) => ({ notification }))
  const shown: ShownNotification[] = []
  for (const notification of page) {
    shown.push({ notification, orgSend: await findShownSend(ctx.db.read, notification.id) })
  }
  return shown
}

const LARGE_PAGE_BYTES = 64 * 1024

// A page of a megabyte takes about 10 ms to read, parse and serialize: many must not run in the same turn.
function readContents({ db, slices }: Context, userId: UserId, page: InboxEntry[]): Promise<Notification[]> {
  const read = () => loadContents(db.read, userId, page)
  const bytes = page.reduce((sum, entry) => sum + entry.bytes, 0)
  return bytes > LARGE_PAGE_BYTES ? slices(userId, read) : read()
}

// A window with a text search reads up to 18 KB per entry, without one about 100 bytes.
const WINDOWS = { entries: { size: 500, most: 100 }, text: { size: 100, most: 200 } }

async function scan(
  ctx: Context,
  userId: UserId,
  filter: InboxFilter,
  { before, limit }: { before?: NotificationId; limit: number },
): Promise<Found> {
  const { size, most } = filter.text === undefined ? WINDOWS.entries : WINDOWS.text
  const entries: InboxEntry[] = []
  let position = filter.until === undefined ? before : await skipNewerThan(ctx, userId, filter.until, before)
  for (let windows = 0; windows < most; windows++) {
    const window = await ctx.slices(userId, () => readWindow(ctx, userId, filter, { before: position, size, limit }))
    if (!window) return { entries }
    entries.push(...window.entries)
    if (entries.length >= limit) return { entries: entries.slice(0, limit) }
    if (window.isLast) return { entries }
    position = window.from
  }
  return { entries, resumeAt: position && encodeCursor(position) }
}

type WindowRequest = { before?: NotificationId; size: number; limit: number }

async function readWindow(ctx: Context, userId: UserId, filter: InboxFilter, { before, size, limit }: WindowRequest) {
  const window = await findWindow(ctx.db.read, userId, { unread: filter.unread, before, size })
  if (!window) return undefined
  const entries = await listEntries(ctx.db.read, userId, filter, { from: window.from, before }, limit)
  return { entries, from: window.from, isLast: window.isLast || isOlder(window, filter.since) }
}

// Ids grow with time unless a clock was set back. A day of slack covers all but gross corrections.
const CLOCK_SLACK_SECONDS = DAY_SECONDS

const isOlder = ({ newestAt }: Window, since: Instant | undefined): boolean =>
  since !== undefined && newestAt < plusSeconds(since, -CLOCK_SLACK_SECONDS)

// Binary search for an id at which the scan can start: all entries from it on are newer than `until`.
async function skipNewerThan(
  ctx: Context,
  userId: UserId,
  until: Instant,
  before: NotificationId | undefined,
): Promise<NotificationId | undefined> {
  const wanted = plusSeconds(until, CLOCK_SLACK_SECONDS)
  const newest = await findEntryBefore(ctx.db.read, userId, before)
  if (!newest || newest.createdAt <= wanted) return before
  // Invariant: the newest entry below `low` is old enough, or there is none; the newest below `high` is too new.
  let [low, high] = [0, newest.id + 1]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const entry = await findEntryBefore(ctx.db.read, userId, middle as NotificationId)
    if (entry && entry.createdAt > wanted) high = entry.id + 1
    else low = middle
  }
  return low as NotificationId
}

const isScanned = ({ unread, ...conditions }: InboxFilter): boolean =>
  Object.values(conditions).some((condition) => condition !== undefined)

// A key that is limited to a part of an organization sees what it has sent itself.
function toFilter(caller: Caller, query: NotificationQuery): InboxFilter {
  return {
    unread: query.unread,
    keyId: caller.kind === 'key' && caller.target !== null ? caller.keyId : undefined,
    orgId: query.org_id,
    source: query.source,
    threadId: query.thread_id,
    level: query.level,
    since: query.since === undefined ? undefined : fromRfc3339(query.since),
    until: query.until === undefined ? undefined : fromRfc3339(query.until),
    text: query.q,
  }
}
