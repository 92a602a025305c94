// Reads the clock of the database server, to compare it with ours.
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader } from './database.ts'
import { fragment, sql } from './sql.ts'

const NOW_MS = fragment({
  sqlite: `cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  postgres: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
})

export async function readDatabaseTime(db: Reader): Promise<Instant> {
  const [row] = await db.all<{ now: number }>(sql`select ${NOW_MS} as now`)
  return instant(row?.now ?? 0)
}
