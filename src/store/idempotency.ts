// Idempotency keys. A key is written in the transaction of the change that it guards, so a crash leaves both or neither.
import type { UserId } from '../domain/caller.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Writer } from './engine/database.ts'
import { sql } from './engine/sql.ts'

export type IdempotencyKey = { owner: string; route: string; key: string; userId: UserId; bodyHash: string }
// `body` is the stored response, null until there is one. The id is set in the transaction that inserts the key.
export type KnownRequest = { bodyHash: string; resourceId: number; body: string | null; createdAt: Instant }

// Returns undefined if the key is new, and the earlier request otherwise. A concurrent request with the same key waits
// here until this transaction ends.
export async function claimIdempotencyKey(
  tx: Writer,
  key: IdempotencyKey,
  now: Instant,
): Promise<KnownRequest | undefined> {
  const inserted = await tx.run(sql`insert into idempotency_keys (owner, route, key, user_id, body_hash, created_at)
    values (${key.owner}, ${key.route}, ${key.key}, ${key.userId}, ${key.bodyHash}, ${now})
    on conflict (owner, route, key) do nothing`)
  if (inserted === 1) return undefined
  const row = await tx.first<KnownRow>(sql`select body_hash, resource_id, answer, created_at from idempotency_keys
    where owner = ${key.owner} and route = ${key.route} and key = ${key.key} and user_id = ${key.userId}`)
  return (
    row && {
      bodyHash: row.body_hash,
      resourceId: row.resource_id,
      body: row.answer,
      createdAt: instant(row.created_at),
    }
  )
}

export async function updateIdempotencyKey(
  tx: Writer,
  key: IdempotencyKey,
  { resourceId, body }: { resourceId: number; body?: string },
): Promise<void> {
  tx.write(sql`update idempotency_keys set resource_id = ${resourceId}, answer = ${body ?? null}
    where owner = ${key.owner} and route = ${key.route} and key = ${key.key} and user_id = ${key.userId}`)
}

export async function deleteIdempotencyKeysBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.run(sql`delete from idempotency_keys where (owner, route, key) in
    (select owner, route, key from idempotency_keys where created_at < ${at} order by created_at limit ${limit})`)
}

type KnownRow = { body_hash: string; resource_id: number; answer: string | null; created_at: number }
