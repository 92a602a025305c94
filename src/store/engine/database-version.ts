// The name and version of the database, for operators.
import type { Reader } from './database.ts'
import { fragment, sql } from './sql.ts'

const VERSION = fragment({
  sqlite: `'SQLite ' || sqlite_version()`,
  postgres: `'PostgreSQL ' || current_setting('server_version')`,
})

export async function readDatabaseVersion(db: Reader): Promise<string> {
  const row = await db.first<{ version: string }>(sql`select ${VERSION} as version`)
  return row?.version ?? 'unknown'
}
