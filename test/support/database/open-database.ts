// A database of the kind this project tests, opened as the service opens it. Each opening counts as a node.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../src/store/engine/database.ts'
import { migrate } from '../../../src/store/engine/migrate.ts'
import { openPostgres } from '../../../src/store/engine/postgres/postgres.ts'
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

// With the schema applied; closed and dropped when the test ends.
export async function openTestDatabase(): Promise<{ db: Database; database: TestDatabase }> {
  const database = await createDatabase()
  const db = await openNode(database)
  await migrate(db)
  return { db, database }
}

export const createEmptyDatabase = () => createDatabase('empty')

async function createDatabase(state?: 'empty'): Promise<TestDatabase> {
  const database = await createTestDatabase(undefined, state)
  onTestFinished(() => database.drop())
  mkdirSync(folderOf(database), { recursive: true })
  return database
}

export async function openNode(database: TestDatabase, url = urlOf(database)): Promise<Database> {
  const db = url ? await openPostgres(url) : openSqlite(fileOf(database), { monotonicMs: () => performance.now() })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= db.close())
  onTestFinished(close)
  return { ...db, close }
}

export const fileOf = (database: TestDatabase) => join(folderOf(database), 'heliograph.db')
export const urlOf = (database: TestDatabase) => database.environment.HELIOGRAPH_DATABASE_URL
const folderOf = (database: TestDatabase) => database.environment.HELIOGRAPH_DATA_DIR as string
