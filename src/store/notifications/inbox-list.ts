// Reads the inbox newest first, in windows of bounded size. Ids only grow, so pages are stable. Every statement reads
// the unread and the read half from their own indexes and merges them.
import type { KeyId, UserId } from '../../domain/caller.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader } from '../engine/database.ts'
import type { Row } from '../engine/rows.ts'
import { type Fragment, fragment, list, type Sql, sql } from '../engine/sql.ts'
import { folded } from './insert.ts'
import { ENTRIES, type Half, type InboxEntry, READ, STATES, UNREAD } from './notifications.ts'

// `waiting`: by listWaitingIds of states.ts, which finds the windows. `snoozed`: only those, by listSnoozedIds; else those are
// left out.
export type InboxFilter = {
  half?: Half
  waiting?: boolean
  snoozed?: boolean
  source?: string
  threadId?: string
  level?: string
  keyId?: KeyId
  // Sent by none of the keys that the account has now.
  isOfNoKey?: true
  orgId?: string
  since?: Instant
  until?: Instant
  text?: string
}

// Entries with `from` <= id < `before`, or with these ids.
export type IdRange = { from?: NotificationId; before?: NotificationId; ids?: readonly NotificationId[] }

export async function listEntries(
  db: Reader,
  userId: UserId,
  filter: InboxFilter,
  range: IdRange,
  limit: number,
): Promise<InboxEntry[]> {
  const where = sql`${inRange(range)} ${inboxConditions(filter)}`
  const rows = await db.all<Row>(selectNewest(ENTRIES.columns, userId, { half: filter.half, where, limit }))
  return rows.map(ENTRIES.make)
}

// The lowest id and the latest time among the newest `size` entries before that one, and whether there are no more.
export async function findWindow(
  db: Reader,
  userId: UserId,
  { half, before, size }: { half?: Half; before?: NotificationId; size: number },
): Promise<Window | undefined> {
  const entries = selectNewest(ID_AND_TIME, userId, { half, where: inRange({ before }), limit: size })
  const [row] = await db.all<WindowRow>(sql`select min(id) as from_id, max(created_at) as newest_at, count(*) as count
    from (${entries}) entries`)
  if (row?.from_id == null) return undefined
  return { from: row.from_id, newestAt: instant(row.newest_at), isLast: row.count < size }
}

export type Window = { from: NotificationId; newestAt: Instant; isLast: boolean }
type WindowRow = { from_id: NotificationId | null; newest_at: number; count: number }

// The newest entry before that one.
export async function findEntryBefore(
  db: Reader,
  userId: UserId,
  before: NotificationId | undefined,
): Promise<{ id: NotificationId; createdAt: Instant } | undefined> {
  const [row] = await db.all<{ id: NotificationId; created_at: number }>(
    selectNewest(ID_AND_TIME, userId, { where: inRange({ before }), limit: 1 }),
  )
  return row && { id: row.id, createdAt: instant(row.created_at) }
}

const ID_AND_TIME = fragment('id, created_at')

// Each half has its own limit: without it PostgreSQL would read and sort all of it.
function selectNewest(
  columns: Fragment,
  userId: UserId,
  { half, where, limit }: { half?: Half; where: Sql; limit: number },
): Sql {
  const newestOf = (state: Fragment) => sql`select ${columns} from notifications where user_id = ${userId} and ${state}
    ${where} order by id desc limit ${limit}`
  if (half) return newestOf(STATES[half])
  return sql`select ${columns} from (${newestOf(UNREAD)}) unread_half
    union all select ${columns} from (${newestOf(READ)}) read_half order by id desc limit ${limit}`
}

function inRange({ from, before, ids }: IdRange): Sql {
  if (ids) return sql`and id in (${list(ids)})`
  const above = from === undefined ? sql`` : sql`and id >= ${from}`
  return before === undefined ? above : sql`${above} and id < ${before}`
}

// A scalar subquery, not a join: the planner must look up the text of each entry by its id.
function inboxConditions(filter: InboxFilter): Sql {
  const parts: Sql[] = [filter.snoozed ? sql`and snoozed_until is not null` : sql`and snoozed_until is null`]
  if (filter.source !== undefined) parts.push(sql`and source = ${filter.source}`)
  if (filter.threadId !== undefined) parts.push(sql`and thread_id = ${filter.threadId}`)
  if (filter.level !== undefined) parts.push(sql`and level = ${filter.level}`)
  if (filter.keyId !== undefined) parts.push(sql`and key_id = ${filter.keyId}`)
  if (filter.isOfNoKey)
    parts.push(sql`and not exists (select 1 from integration_keys where integration_keys.id = notifications.key_id)`)
  if (filter.orgId !== undefined) parts.push(sql`and org_id = ${filter.orgId}`)
  if (filter.since !== undefined) parts.push(sql`and created_at >= ${filter.since}`)
  if (filter.until !== undefined) parts.push(sql`and created_at <= ${filter.until}`)
  if (filter.text !== undefined)
    parts.push(sql`and (select ${POSITION_OF}(search_text, ${folded(filter.text)}) from notification_contents
      where notification_id = notifications.id) > 0`)
  return parts.reduce((all, part) => sql`${all} ${part}`, sql``)
}

const POSITION_OF = fragment({ sqlite: 'instr', postgres: 'strpos' })
