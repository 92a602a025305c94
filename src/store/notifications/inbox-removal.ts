// Deletes from the inbox, oldest first, in batches bounded in rows and bytes: SQLite visits every page of a deleted
// row, so 500 entries of 90 KB block its writer for as long as 10,000 small ones.
import type { AccountKind, UserId } from '../../domain/caller.ts'
import { type Instant, instantOrNull } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, type Sql, sql } from '../engine/sql.ts'
import type { InboxDelta } from '../events/feeds.ts'
import { type Half, STATES } from './notifications.ts'

export const BOTH_HALVES: readonly Half[] = ['read', 'unread']

// A batch has at most so many.
export const MOST_ROWS = 500
const BATCH_BYTES = 2_000_000

export type Removal = {
  halves: readonly Half[]
  // Entries that were created before it, and all with lower ids.
  createdBefore?: Instant
  // At most as many as it takes to free these bytes.
  bytes?: number
  // At most so many entries.
  rows?: number
}

// Deletes one batch. Returns the change of the inbox; undefined if there is nothing to delete.
export async function deleteOldest(tx: Writer, userId: UserId, removal: Removal): Promise<InboxDelta | undefined> {
  const last = lastOfBatch(await listOldest(tx, userId, removal), removal)
  if (!last) return undefined
  const delta: InboxDelta = { unread: 0, bytes: 0 }
  for (const half of removal.halves) {
    const rows = await tx.all<{ bytes: number }>(sql`delete from notifications
      where user_id = ${userId} and ${STATES[half]} and id <= ${last.id} returning bytes`)
    for (const { bytes } of rows) delta.bytes -= bytes
    if (half === 'unread') delta.unread -= rows.length
  }
  return delta
}

type OldEntry = { id: NotificationId; bytes: number; created_at: number }

async function listOldest(tx: Reader, userId: UserId, { halves, rows = MOST_ROWS }: Removal): Promise<OldEntry[]> {
  const oldestOf = (half: Half): Sql => sql`select ${OLD_COLUMNS} from (select ${OLD_COLUMNS} from notifications
    where user_id = ${userId} and ${STATES[half]} order by id limit ${rows}) half_of_it`
  const both = halves.map(oldestOf).reduce((all, one) => sql`${all} union all ${one}`)
  return tx.all<OldEntry>(sql`${both} order by id limit ${rows}`)
}

const OLD_COLUMNS = fragment('id, bytes, created_at')

// Ids give the order: an entry from a time when the clock was ahead is deleted with its neighbours.
function lastOfBatch(oldest: OldEntry[], { createdBefore, bytes = BATCH_BYTES }: Removal): OldEntry | undefined {
  const budget = Math.min(bytes, BATCH_BYTES)
  let last: OldEntry | undefined
  let total = 0
  for (const entry of oldest) {
    if (total >= budget) break
    total += entry.bytes
    if (createdBefore === undefined || entry.created_at < createdBefore) last = entry
  }
  return last
}

// The size of an inbox and the age of its oldest entries, by which retention finds the accounts to trim.
export type InboxAge = {
  userId: UserId
  isOfPerson: boolean
  bytes: number
  oldestReadAt?: Instant
  oldestUnreadAt?: Instant
}

export async function listInboxAges(db: Reader, after: UserId | undefined, limit: number): Promise<InboxAge[]> {
  const oldest = (half: Half) => sql`(select created_at from notifications
    where notifications.user_id = feeds.user_id and ${STATES[half]} order by id limit 1)`
  const rows = await db.all<InboxAgeRow>(sql`select user_id,
      (select kind from users where users.id = feeds.user_id) as kind, inbox_bytes, ${oldest('read')} as oldest_read_at,
      ${oldest('unread')} as oldest_unread_at
    from feeds where user_id > ${after ?? ''} order by user_id limit ${limit}`)
  return rows.map((row) => ({
    userId: row.user_id,
    isOfPerson: row.kind === 'person',
    bytes: row.inbox_bytes,
    oldestReadAt: instantOrNull(row.oldest_read_at) ?? undefined,
    oldestUnreadAt: instantOrNull(row.oldest_unread_at) ?? undefined,
  }))
}

type InboxAgeRow = {
  user_id: UserId
  kind: AccountKind | null
  inbox_bytes: number
  oldest_read_at: number | null
  oldest_unread_at: number | null
}
