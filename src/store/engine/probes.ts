// What operators and health checks ask of the database: its version, its clock, and whether it stores changes.

import { type Instant, instant } from '../../domain/instant.ts'
import type { Database, Reader } from './database.ts'
import { fragment, sql } from './sql.ts'

const VERSION = fragment({
  sqlite: `'SQLite ' || sqlite_version()`,
  postgres: `'PostgreSQL ' || current_setting('server_version')`,
})

export async function readDatabaseVersion(db: Reader): Promise<string> {
  const row = await db.first<{ version: string }>(sql`select ${VERSION} as version`)
  return row?.version ?? 'unknown'
}

const NOW_MS = fragment({
  sqlite: `cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  postgres: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
})

// To compare it with our clock.
export async function readDatabaseTime(db: Reader): Promise<Instant> {
  const [row] = await db.all<{ now: number }>(sql`select ${NOW_MS} as now`)
  return instant(row?.now ?? 0)
}

// By an update that changes nothing.
export async function tryWrite(db: Database): Promise<void> {
  await db.transact((tx) => tx.execute(sql`update migrations set name = name where number = 1`))
}
