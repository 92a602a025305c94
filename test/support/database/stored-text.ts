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

async function rowsOf(read: Reader, table: string): Promise<string> {
  const rows = await read.all<{ row: string }>(sql`select t::text as row from ${fragment(table)} t`)
  return rows.map(({ row }) => row).join('\n')
}
