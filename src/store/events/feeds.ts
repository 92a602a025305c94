// The feed of an account: numbered events that can be followed without a gap, and the unread count and size of its inbox.
// Numbers come from a row that stays locked until the commit, so a lower number never appears after a higher one.
import type { EventType, HiddenEventType } from '../../contract/events/event.ts'
import type { UserId } from '../../domain/caller.ts'
import type { AppEvent, NewEvent } from '../../domain/events.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { eachObject, list, type Sql, sql } from '../engine/sql.ts'

export const feedTopic = (userId: UserId) => `feed:${userId}`

// The change of the unread count and of the size of the inbox.
export type InboxDelta = { unread: number; bytes: number }
const SAME_INBOX: InboxDelta = { unread: 0, bytes: 0 }

export const appendEvent = (tx: Writer, userId: UserId, event: NewEvent, delta = SAME_INBOX): Promise<void> =>
  appendEvents(tx, userId, [event], delta)

// All works of a transaction extend the feeds together, as its last statements.
export async function appendEvents(
  tx: Writer,
  userId: UserId,
  events: NewEvent[],
  delta: InboxDelta = SAME_INBOX,
): Promise<void> {
  tx.later(extendFeeds, { userId, events, ...delta })
}

export type FeedEntry = { userId: UserId; event: NewEvent }

export async function appendToFeeds(tx: Writer, entries: FeedEntry[]): Promise<void> {
  for (const { userId, event } of entries) tx.later(extendFeeds, { userId, events: [event], ...SAME_INBOX })
}

type FeedAddition = InboxDelta & { userId: UserId; events: NewEvent[] }

// Feeds are locked in the order of the accounts, so that two transactions that tell the same accounts cannot deadlock.
function extendFeeds(tx: Writer, additions: FeedAddition[]): void {
  const byAccount = Map.groupBy(additions, ({ userId }) => userId)
  const sums = [...byAccount.values()].map((ofOne) => ofOne.reduce(sumOf))
  const sorted = sums.sort((one, other) => (one.userId < other.userId ? -1 : 1))
  tx.queue(countEvents(sorted))
  tx.queue(insertCounted(sorted))
  for (const { userId } of sorted) tx.signal(feedTopic(userId))
}

const sumOf = (one: FeedAddition, other: FeedAddition): FeedAddition => ({
  userId: one.userId,
  events: [...one.events, ...other.events],
  unread: one.unread + other.unread,
  bytes: one.bytes + other.bytes,
})

// For a work that reads its feed after it has appended to it.
export const extendFeedsNow = (tx: Writer): void => tx.takeNow(extendFeeds)

const ADDED = eachObject({ user_id: 'text', events: 'bigint', unread: 'bigint', bytes: 'bigint' })
const EVENTS = eachObject({ user_id: 'text', behind: 'bigint', type: 'text', at: 'bigint', data: 'text' })

// Most transactions have one event, and values cost less than JSON.
function countEvents(additions: FeedAddition[]): Sql {
  const rows = additions.map(({ userId, events, unread, bytes }) => ({
    user_id: userId,
    ...{ events: events.length, unread, bytes },
  }))
  const [only] = rows
  const added =
    only && rows.length === 1
      ? sql`values (${only.user_id}, ${only.events}, ${only.unread}, ${only.bytes})`
      : sql`select user_id, events, unread, bytes from ${ADDED(JSON.stringify(rows))} where true`
  return sql`insert into feeds (user_id, last_event, unread, inbox_bytes) ${added}
    on conflict (user_id) do update set last_event = feeds.last_event + excluded.last_event,
      unread = feeds.unread + excluded.unread, inbox_bytes = feeds.inbox_bytes + excluded.inbox_bytes`
}

// With the numbers that they got when they were counted.
function insertCounted(additions: FeedAddition[]): Sql {
  const rows = additions.flatMap(({ userId, events }) =>
    events.map(({ type, at, data }, index) => ({
      user_id: userId,
      behind: events.length - 1 - index,
      ...{ type, at, data: JSON.stringify(data) },
    })),
  )
  const [only] = rows
  const numbered =
    only && rows.length === 1
      ? sql`select user_id, last_event, ${only.type}, cast(${only.at} as bigint), ${only.data} from feeds where user_id = ${only.user_id}`
      : sql`select user_id, last_event - behind, type, at, data from ${EVENTS(JSON.stringify(rows))} join feeds using (user_id)`
  return sql`insert into events (user_id, number, type, at, data) ${numbered}`
}

// For changes without an event: retention, and all batches of "read all" but the last.
export async function adjustInbox(tx: Writer, userId: UserId, { unread, bytes }: InboxDelta): Promise<void> {
  tx.queue(sql`update feeds set unread = unread + ${unread}, inbox_bytes = inbox_bytes + ${bytes}
    where user_id = ${userId}`)
}

export async function countUnread(db: Reader, userId: UserId): Promise<number> {
  return (await findFeed(db, userId)).unread
}

// `newest`: the number of the newest event.
export async function findFeed(db: Reader, userId: UserId): Promise<{ newest: number; unread: number }> {
  const row = await db.first<{ last_event: number; unread: number }>(
    sql`select last_event, unread from feeds where user_id = ${userId}`,
  )
  return { newest: row?.last_event ?? 0, unread: row?.unread ?? 0 }
}

export async function findInboxBytes(db: Reader, userId: UserId): Promise<number> {
  const row = await db.first<{ inbox_bytes: number }>(sql`select inbox_bytes from feeds where user_id = ${userId}`)
  return row?.inbox_bytes ?? 0
}

// The number of the newest event, and of the oldest that is still kept.
export async function findFeedBounds(db: Reader, userId: UserId): Promise<{ newest: number; oldest: number }> {
  const row = await db.first<{ last_event: number; oldest: number | null }>(sql`select last_event,
      (select min(number) from events where user_id = ${userId}) as oldest
    from feeds where user_id = ${userId}`)
  const newest = row?.last_event ?? 0
  return { newest, oldest: row?.oldest ?? newest + 1 }
}

export async function listEventsAfter(db: Reader, userId: UserId, after: number, limit: number): Promise<AppEvent[]> {
  const rows = await db.all<EventRow>(sql`select number, type, at, data from events
    where user_id = ${userId} and number > ${after} order by number limit ${limit}`)
  return rows.map(toEvent)
}

// `upTo`: every event of these types up to this number is in the list.
export type EventsOfTypes = { events: AppEvent[]; upTo: number }

// Events of some types; `where`: a further condition. Looks at so many events at most, of any type, because one statement must be short.
const EVENTS_LOOKED_AT = 1000

export async function listEventsOfTypes(
  db: Reader,
  userId: UserId,
  {
    after,
    types,
    limit,
    where = sql``,
  }: { after: number; types: readonly (EventType | HiddenEventType)[]; limit: number; where?: Sql },
): Promise<EventsOfTypes> {
  const { newest } = await findFeed(db, userId)
  const end = Math.min(after + EVENTS_LOOKED_AT, newest)
  if (end <= after) return { events: [], upTo: after }
  const rows = await db.all<EventRow>(sql`select number, type, at, data from events
    where user_id = ${userId} and number > ${after} and number <= ${end} and type in (${list(types)}) ${where}
    order by number limit ${limit}`)
  const events = rows.map(toEvent)
  const last = events.at(-1)
  return { events, upTo: last && events.length === limit ? last.number : end }
}

export async function deleteEventsBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from events where (user_id, number) in
    (select user_id, number from events where at < ${at} order by at limit ${limit})`)
}

type EventRow = { number: number; type: AppEvent['type']; at: number; data: string }

// A row holds the data of its type, because only appendEvents writes rows.
const toEvent = ({ number, type, at, data }: EventRow): AppEvent =>
  ({ number, type, at: instant(at), data: JSON.parse(data) }) as AppEvent
