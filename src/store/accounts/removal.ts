// Deletes an account: its access first, then its rows table by table in batches. The inbox has functions of its own
// (notifications/inbox-removal.ts).
import type { UserId } from '../../domain/caller.ts'
import type { Writer } from '../engine/database.ts'
import { type Fragment, fragment, sql } from '../engine/sql.ts'
import { revocationTopic } from './tokens.ts'

// After this nobody can sign in to the account, send to it, join what it shares or get its pushes. Each table has few
// rows.
export async function deleteAccess(tx: Writer, userId: UserId): Promise<void> {
  for (const table of ACCESS) tx.queue(sql`delete from ${table} where user_id = ${userId}`)
  tx.signal(revocationTopic(userId))
}

const ACCESS = [
  'join_codes',
  'tokens',
  'sign_in_codes',
  'sign_in_requests',
  'passkeys',
  'integration_keys',
  'ping_keys',
  'screen_links',
  'apple_identities',
  'devices',
].map(fragment)

type OwnedTable = { name: Fragment; mostRows: number }

const owned = (name: string, mostRows: number): OwnedTable => ({ name: fragment(name), mostRows })

// All other tables with many rows per account, and how many of them a batch deletes at most: fewer where rows are large or
// have dependent rows.
export const OWNED_TABLES: readonly OwnedTable[] = [
  owned('events', 500),
  owned('imported_items', 500),
  owned('push_messages', 100),
  owned('held_notifications', 500),
  owned('answers', 200),
  owned('receipts', 500),
  owned('daily_counts', 500),
  owned('daily_deliveries', 500),
  owned('idempotency_keys', 20),
  owned('emails', 20),
  owned('schedules', 10),
  owned('heartbeat_pings', 50),
  owned('heartbeats', 100),
  owned('escalations', 50),
  owned('activities', 2),
  owned('widgets', 5),
]

const ROW_ADDRESS = fragment({ sqlite: 'rowid', postgres: 'ctid' })

// Deletes one batch. Returns whether there may be more.
export async function deleteOwned(tx: Writer, userId: UserId, table: Fragment, rows: number): Promise<boolean> {
  const deleted = await tx.execute(sql`delete from ${table} where ${ROW_ADDRESS} in
    (select ${ROW_ADDRESS} from ${table} where user_id = ${userId} limit ${rows})`)
  return deleted === rows
}
