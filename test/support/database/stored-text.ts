// Everything in the database as text: the bytes of its files, or every row of every table.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reader } from '../../../src/store/engine/database.ts'
import { fragment, sql } from '../../../src/store/engine/sql.ts'
import type { TestApp } from '../app.ts'
import { isPostgres } from './database.ts'

export async function storedText({ app, database }: TestApp): Promise<string> {
  if (!isPostgres()) {
    const folder = database.environment.HELIOGRAPH_DATA_DIR as string
    return readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('\n')
  }
  const { read } = app.ctx.db
  const tables = await read.all<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  return (await Promise.all(tables.map(({ name }) => rowsOf(read, name)))).join('\n')
}

// The texts that are in a file of the database: tables, indexes, what does not fit into a row (TOAST), the log (WAL). Those of
// PostgreSQL's log may also hold what other tests write, so the texts must be their test's own.
export async function textsInFiles(app: TestApp, texts: string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const file of await databaseFiles(app)) {
    const bytes = readIfThere(file)
    for (const text of texts) if (bytes.includes(text)) found.add(text)
  }
  return [...found]
}

async function databaseFiles({ app, database }: TestApp): Promise<string[]> {
  if (!isPostgres()) return filesIn(database.environment.HELIOGRAPH_DATA_DIR as string)
  const { read } = app.ctx.db
  // Writes the pages that are in memory only.
  await read.all(sql`checkpoint`)
  const rows = await read.all<{ folder: string; oid: string }>(sql`select cast(oid as text) as oid,
    current_setting('data_directory') as folder from pg_database where datname = current_database()`)
  return rows.flatMap(({ folder, oid }) => [...filesIn(join(folder, 'base', oid)), ...filesIn(join(folder, 'pg_wal'))])
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

// PostgreSQL removes old files of its log.
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

async function rowsOf(read: Reader, table: string): Promise<string> {
  const rows = await read.all<{ row: string }>(sql`select t::text as row from ${fragment(table)} t`)
  return rows.map(({ row }) => row).join('\n')
}
