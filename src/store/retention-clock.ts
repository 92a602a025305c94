// When retention last ran, and from when on it trusts the clock.
import { instant } from '../domain/instant.ts'
import type { RetentionClock } from '../domain/retention-clock.ts'
import type { Reader, Writer } from './engine/database.ts'
import { sql } from './engine/sql.ts'

export async function findRetentionClock(db: Reader): Promise<RetentionClock | undefined> {
  const row = await db.first<{ last_run_at: number; trusted_from: number }>(
    sql`select last_run_at, trusted_from from retention_clock where id = 1`,
  )
  return row && { lastRunAt: instant(row.last_run_at), trustedFrom: instant(row.trusted_from) }
}

export async function saveRetentionClock(tx: Writer, { lastRunAt, trustedFrom }: RetentionClock): Promise<void> {
  tx.write(sql`insert into retention_clock (id, last_run_at, trusted_from) values (1, ${lastRunAt}, ${trustedFrom})
    on conflict (id) do update set last_run_at = excluded.last_run_at, trusted_from = excluded.trusted_from`)
}
