// Scans the inbox for the entries that match a filter, newest first, in windows. Each window is a slice of its own.
import type { UserId } from '../../domain/caller.ts'
import { DAY_SECONDS, type Instant, plusSeconds } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import {
  findEntryBefore,
  findWindow,
  type InboxFilter,
  listEntries,
  type Window,
} from '../../store/notifications/inbox-list.ts'
import { type InboxEntry, listSnoozedIds } from '../../store/notifications/notifications.ts'
import { listWaitingIds } from '../../store/notifications/states.ts'
import type { Context } from '../context.ts'

// The matching entries of a window, and where it ends.
export type MatchingWindow = { entries: InboxEntry[]; from: NotificationId; isLast: boolean }

// A window with a text search reads up to 18 KB per entry, without one about 100 bytes.
const WINDOWS = { entries: { size: 500, most: 100 }, text: { size: 100, most: 200 } }

const windowsFor = ({ text }: InboxFilter) => (text === undefined ? WINDOWS.entries : WINDOWS.text)

// The number of windows that one request of a list may read.
export const mostWindows = (filter: InboxFilter): number => windowsFor(filter).most

// From the newest entry, or from the newest before the given one. `limit`: a reader that needs no more entries than this
// stops at a window that has them, so the others of that window are not read.
export async function* matchingWindows(
  ctx: Context,
  userId: UserId,
  filter: InboxFilter,
  { before, limit }: { before?: NotificationId; limit?: number } = {},
): AsyncGenerator<MatchingWindow> {
  const { size } = windowsFor(filter)
  let position = filter.until === undefined ? before : await skipNewerThan(ctx, userId, filter.until, before)
  for (;;) {
    const window = await ctx.slices(userId, () =>
      readWindow(ctx, userId, filter, { before: position, size, limit: limit ?? size }),
    )
    if (!window) return
    yield window
    if (window.isLast) return
    position = window.from
  }
}

type WindowRequest = { before?: NotificationId; size: number; limit: number }

async function readWindow(
  ctx: Context,
  userId: UserId,
  filter: InboxFilter,
  { before, size, limit }: WindowRequest,
): Promise<MatchingWindow | undefined> {
  const listIds = filter.snoozed ? listSnoozedIds : filter.waiting ? listWaitingIds : undefined
  if (listIds) return readIndexedWindow(ctx, userId, filter, { before, size, limit, listIds })
  const window = await findWindow(ctx.db.read, userId, { half: filter.half, before, size })
  if (!window) return undefined
  const entries = await listEntries(ctx.db.read, userId, filter, { from: window.from, before }, limit)
  return { entries, from: window.from, isLast: window.isLast || isOlder(window, filter.since) }
}

// An index has the notifications that are snoozed or wait for an answer, so its windows skip all others.
async function readIndexedWindow(
  ctx: Context,
  userId: UserId,
  filter: InboxFilter,
  { before, size, limit, listIds }: WindowRequest & { listIds: typeof listWaitingIds },
): Promise<MatchingWindow | undefined> {
  const ids = await listIds(ctx.db.read, userId, { before, limit: size })
  const from = ids.at(-1)
  if (from === undefined) return undefined
  return { entries: await listEntries(ctx.db.read, userId, filter, { ids }, limit), from, isLast: ids.length < size }
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
