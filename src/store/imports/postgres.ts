// Tables of another program in PostgreSQL, as they are at one moment, copied into a temporary SQLite database. So an import reads
// every server in one way, and holds no transaction open there while it writes here.
import pg from 'pg'
import { StartError } from '../../domain/errors.ts'
import { connectionOptions } from '../engine/postgres/connections.ts'
import { placeOf } from '../engine/postgres/server-check.ts'
import { loadSqlite } from '../engine/sqlite/connection.ts'
import { type ForeignFile, type ForeignValue, foreignFile } from './file.ts'

const ROWS_AT_ONCE = 1000

// A table that is missing there is missing in the copy.
export async function copyForeignTables(url: string, tables: string[]): Promise<ForeignFile> {
  const client = new pg.Client(connectionOptions(url))
  // A lost connection fails the statement under way. Without a listener, the event would end the process.
  client.on('error', () => {})
  // Without a name: SQLite keeps it in memory while it is small, else in a file that disappears with it.
  const { DatabaseSync } = loadSqlite()
  const copy = new DatabaseSync('')
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    for (const table of tables) await copyTable(client, table, copy)
  } catch (error) {
    copy.close()
    throw new StartError(
      `PostgreSQL at ${placeOf(url)} cannot be read (${error instanceof Error ? error.message : error})`,
    )
  } finally {
    await client.end().catch(() => {})
  }
  return foreignFile(copy)
}

async function copyTable(
  client: pg.Client,
  table: string,
  copy: InstanceType<ReturnType<typeof loadSqlite>['DatabaseSync']>,
) {
  const { rows } = await client.query('select to_regclass($1) is not null as there', [table])
  if (!rows[0].there) return
  await client.query(`declare foreign_rows no scroll cursor for select * from "${table}"`)
  copy.exec('begin')
  for (let isFirst = true; ; isFirst = false) {
    const fetched = await client.query({ text: `fetch ${ROWS_AT_ONCE} from foreign_rows`, rowMode: 'array' })
    const columns = fetched.fields.map(({ name }) => `"${name}"`)
    // Columns without types keep values as they are.
    if (isFirst) copy.exec(`create table "${table}" (${columns.join(', ')})`)
    const insert = copy.prepare(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`)
    for (const row of fetched.rows) insert.run(...row.map(asForeignValue))
    if (fetched.rows.length < ROWS_AT_ONCE) break
  }
  copy.exec('commit')
  await client.query('close foreign_rows')
}

function asForeignValue(value: unknown): ForeignValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint8Array || typeof value === 'number' || typeof value === 'string') return value
  return value === null ? null : JSON.stringify(value)
}
