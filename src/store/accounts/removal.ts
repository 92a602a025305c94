// What deleting an account takes: its access first, then its rows table by table in batches. The inbox has its own way
// (store/inbox-removal).
import type { UserId } from '../../domain/caller.ts'
import type { Writer } from '../engine/database.ts'
import { type Fragment, fragment, sql } from '../engine/sql.ts'
import { revocationTopic } from './tokens.ts'

// From here on nobody can sign in to the account, send to it or be pushed to by it. A handful of rows each.
export async function deleteAccess(tx: Writer, userId: UserId): Promise<void> {
  for (const table of ACCESS) tx.queue(sql`delete from ${table} where user_id = ${userId}`)
  tx.signal(revocationTopic(userId))
}

const ACCESS = ['tokens', 'sign_in_codes', 'integration_keys', 'apple_identities', 'devices'].map(fragment)

type OwnedTable = { name: Fragment; batchRows: number }

const owned = (name: string, batchRows: number): OwnedTable => ({ name: fragment(name), batchRows })

// Every other table whose rows an account can have many of. Fewer at once where a row may be large or has rows of its own.
export const OWNED_TABLES: readonly OwnedTable[] = [
  owned('events', 500),
  owned('answers', 200),
  owned('receipts', 500),
  owned('idempotency_keys', 20),
  owned('emails', 20),
  owned('schedules', 10),
  owned('activities', 2),
  owned('widgets', 5),
]

const ROW_ADDRESS: Fragment = { text: { sqlite: 'rowid', postgres: 'ctid' } }

// One batch. True: there may be more.
export async function deleteOwned(tx: Writer, userId: UserId, { name, batchRows }: OwnedTable): Promise<boolean> {
  const deleted = await tx.execute(sql`delete from ${name} where ${ROW_ADDRESS} in
    (select ${ROW_ADDRESS} from ${name} where user_id = ${userId} limit ${batchRows})`)
  return deleted === batchRows
}
