// Held requests and tool calls of agents, counted over all nodes. A row outlives its request only if its node died.
import type { KeyId, UserId } from '../domain/caller.ts'
import { type Instant, plusSeconds } from '../domain/instant.ts'
import { lockUser } from './accounts/accounts.ts'
import type { Writer } from './engine/database.ts'
import { sql } from './engine/sql.ts'

// Longer than the time after which a long wait renews its row.
const ABANDONED_AFTER_SECONDS = 60

export type WaitHolder = 'request' | 'agent'
export type OpenWait = { id: string; userId: UserId; heldBy: WaitHolder; keyId: KeyId | null }
export type WaitCounts = { ofAccount: number; ofKey: number }

// Locks the account, so that the counts hold until the wait is inserted.
export async function countOpenWaits(
  tx: Writer,
  { userId, heldBy, keyId }: OpenWait,
  now: Instant,
): Promise<WaitCounts> {
  await lockUser(tx, userId)
  tx.queue(sql`delete from open_waits where user_id = ${userId} and expires_at <= ${now}`)
  const open = await tx.first<{ of_account: number; of_key: number }>(sql`select count(*) as of_account,
      count(case when key_id = ${keyId} then 1 end) as of_key
    from open_waits where user_id = ${userId} and held_by = ${heldBy}`)
  return { ofAccount: open?.of_account ?? 0, ofKey: open?.of_key ?? 0 }
}

export function insertOpenWait(tx: Writer, { id, userId, heldBy, keyId }: OpenWait, now: Instant): void {
  tx.queue(sql`insert into open_waits (id, user_id, held_by, key_id, expires_at)
    values (${id}, ${userId}, ${heldBy}, ${keyId}, ${plusSeconds(now, ABANDONED_AFTER_SECONDS)})`)
}

export async function renewOpenWait(tx: Writer, userId: UserId, id: string, now: Instant): Promise<void> {
  tx.queue(sql`update open_waits set expires_at = ${plusSeconds(now, ABANDONED_AFTER_SECONDS)}
    where user_id = ${userId} and id = ${id}`)
}

export async function deleteOpenWait(tx: Writer, userId: UserId, id: string): Promise<void> {
  tx.queue(sql`delete from open_waits where user_id = ${userId} and id = ${id}`)
}
