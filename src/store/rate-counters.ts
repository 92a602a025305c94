// Request counts per client address and minute, shared by all nodes.
import type { Instant } from '../domain/instant.ts'
import type { Writer } from './database.ts'
import { sql } from './sql.ts'

// Returns the count of all nodes together.
export async function addToRateCounter(
  tx: Writer,
  address: string,
  windowStart: Instant,
  count: number,
): Promise<number> {
  const row = await tx.first<{ count: number }>(sql`insert into rate_counters (address, window_start, count)
    values (${address}, ${windowStart}, ${count})
    on conflict (address, window_start) do update set count = rate_counters.count + excluded.count
    returning count`)
  return row?.count ?? count
}

export async function deleteRateCountersBefore(tx: Writer, windowStart: Instant): Promise<number> {
  return tx.run(sql`delete from rate_counters where window_start < ${windowStart}`)
}
