// Another process, such as the sqlite3 shell, that holds the write lock of a database file.
import { loadSqlite } from '../../../src/store/engine/sqlite/connection.ts'

// Returns the function that releases it.
export function holdWriteLock(file: string): () => void {
  const { DatabaseSync } = loadSqlite()
  const other = new DatabaseSync(file)
  other.exec('pragma busy_timeout = 5000')
  other.exec('begin immediate')
  return () => other.close()
}
