// Idempotency keys. A key is written in the transaction of the change that it guards, so a crash leaves both or neither.
import type { UserId } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import type { Writer } from './engine/database.ts'
import { rowsOf } from './engine/rows.ts'
import { type Sql, sql } from './engine/sql.ts'

export type IdempotencyKey = { owner: string; route: string; key: string; userId: UserId; bodyHash: string }
// `body` is the stored response, null until there is one. The id is set in the transaction that inserts the key.
export type KnownRequest = { bodyHash: string; resourceId: number; body: string | null; createdAt: Instant }

const ROWS = rowsOf<KnownRequest>('idempotency_keys', {
  bodyHash: 'body_hash',
  resourceId: 'resource_id',
  body: 'answer',
  createdAt: 'created_at',
})

const isKey = ({ owner, route, key, userId }: IdempotencyKey): Sql =>
  sql`owner = ${owner} and route = ${route} and key = ${key} and user_id = ${userId}`

// Returns undefined if the key is new, and the earlier request otherwise. A concurrent request with the same key waits
// here until this transaction ends.
export async function claimIdempotencyKey(
  tx: Writer,
  key: IdempotencyKey,
  now: Instant,
): Promise<KnownRequest | undefined> {
  const inserted = await tx.execute(sql`insert into idempotency_keys (owner, route, key, user_id, body_hash, created_at)
    values (${key.owner}, ${key.route}, ${key.key}, ${key.userId}, ${key.bodyHash}, ${now})
    on conflict (owner, route, key) do nothing`)
  return inserted === 1 ? undefined : ROWS.first(tx, sql`where ${isKey(key)}`)
}

export async function updateIdempotencyKey(
  tx: Writer,
  key: IdempotencyKey,
  { resourceId, body }: { resourceId: number; body?: string },
): Promise<void> {
  tx.queue(sql`update idempotency_keys set resource_id = ${resourceId}, answer = ${body ?? null} where ${isKey(key)}`)
}

export async function deleteIdempotencyKeysBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from idempotency_keys where (owner, route, key) in
    (select owner, route, key from idempotency_keys where created_at < ${at} order by created_at limit ${limit})`)
}
