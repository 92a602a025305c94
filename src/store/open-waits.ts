// Held requests, counted over all nodes. A row outlives its request only if its node died.
import type { UserId } from '../domain/caller.ts'
import { type Instant, plusSeconds } from '../domain/instant.ts'
import { lockUser } from './accounts/accounts.ts'
import type { Writer } from './engine/database.ts'
import { sql } from './engine/sql.ts'

// Longer than the time after which a long wait renews its row.
const ABANDONED_AFTER_SECONDS = 60

// Returns false if the account has reached its limit.
export async function insertOpenWait(
  tx: Writer,
  userId: UserId,
  id: string,
  limit: number,
  now: Instant,
): Promise<boolean> {
  await lockUser(tx, userId)
  tx.queue(sql`delete from open_waits where user_id = ${userId} and expires_at <= ${now}`)
  const open = await tx.first<{ count: number }>(
    sql`select count(*) as count from open_waits where user_id = ${userId}`,
  )
  if ((open?.count ?? 0) >= limit) return false
  tx.queue(sql`insert into open_waits (id, user_id, expires_at)
    values (${id}, ${userId}, ${plusSeconds(now, ABANDONED_AFTER_SECONDS)})`)
  return true
}

export async function renewOpenWait(tx: Writer, userId: UserId, id: string, now: Instant): Promise<void> {
  tx.queue(sql`update open_waits set expires_at = ${plusSeconds(now, ABANDONED_AFTER_SECONDS)}
    where user_id = ${userId} and id = ${id}`)
}

export async function deleteOpenWait(tx: Writer, userId: UserId, id: string): Promise<void> {
  tx.queue(sql`delete from open_waits where user_id = ${userId} and id = ${id}`)
}
