// When the service was last alive, on any node.
import { type Instant, instant } from '../../domain/instant.ts'
import type { Writer } from '../engine/database.ts'
import { FOR_UPDATE, sql } from '../engine/sql.ts'

// Locks the row until the commit, so that a standstill is noticed once. Undefined if it was never stamped.
export async function findStampForUpdate(tx: Writer): Promise<Instant | undefined> {
  const row = await tx.first<{ stamped_at: number }>(
    sql`select stamped_at from service_alive where id = 1 ${FOR_UPDATE}`,
  )
  return row && instant(row.stamped_at)
}

export async function stampAlive(tx: Writer, now: Instant): Promise<void> {
  tx.queue(sql`insert into service_alive (id, stamped_at) values (1, ${now})
    on conflict (id) do update set stamped_at = excluded.stamped_at`)
}
