// The result of SQLite's integrity_check: 'ok', or the first error.
import { loadSqlite } from '../../../src/store/engine/sqlite/connection.ts'

export function integrityOf(file: string): string {
  const { DatabaseSync } = loadSqlite()
  const connection = new DatabaseSync(file)
  const row = connection.prepare('pragma integrity_check').get() as { integrity_check: string }
  connection.close()
  return row.integrity_check
}
