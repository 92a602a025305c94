// The database of another program, a SQLite file or in PostgreSQL. Its tables in PostgreSQL are copied as they are at one moment into
// a temporary SQLite database: so an import reads every server in one way, and holds no transaction open there while it writes here.
import pg from 'pg'
import { StartError } from '../../domain/errors.ts'
import { connectionOptions } from '../engine/postgres/connections.ts'
import { placeOf } from '../engine/postgres/server-check.ts'
import { loadSqlite } from '../engine/sqlite/connection.ts'
import { type ForeignFile, type ForeignValue, foreignFile, openForeignFile } from './file.ts'

const ROWS_AT_ONCE = 1000
// None, if there is no such table.
const PRESENT_COLUMNS = `select attname as name from pg_attribute
  where attrelid = to_regclass($1) and attname = any($2) and attnum > 0 and not attisdropped`

const isAddress = (place: string) => /^postgres(ql)?:\/\//.test(place)

// `place`: the path of a file, or the address of a database of PostgreSQL. `tables`: the columns of each that are read.
export const openForeign = async (place: string, tables: Record<string, string[]>): Promise<ForeignFile> =>
  isAddress(place) ? copyForeignTables(place, tables) : openForeignFile(place)

// Without the password.
export const nameOfForeign = (place: string): string => (isAddress(place) ? placeOf(place) : place)

// What is missing there is missing in the copy.
async function copyForeignTables(url: string, tables: Record<string, string[]>): Promise<ForeignFile> {
  const client = new pg.Client(connectionOptions(url))
  // A lost connection fails the statement under way. Without a listener, the event would end the process.
  client.on('error', () => {})
  // Without a name: SQLite keeps it in memory while it is small, else in a file that disappears with it.
  const { DatabaseSync } = loadSqlite()
  const copy = new DatabaseSync('')
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    for (const [table, columns] of Object.entries(tables)) await copyTable(client, table, columns, copy)
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

type Copy = InstanceType<ReturnType<typeof loadSqlite>['DatabaseSync']>

async function copyTable(client: pg.Client, table: string, wanted: string[], copy: Copy) {
  const present = await client.query(PRESENT_COLUMNS, [table, wanted])
  if (present.rows.length === 0) return
  const columns = present.rows.map(({ name }) => `"${name}"`).join(', ')
  await client.query(`declare foreign_rows no scroll cursor for select ${columns} from "${table}"`)
  // Columns without types keep values as they are.
  copy.exec(`create table "${table}" (${columns})`)
  const insert = copy.prepare(`insert into "${table}" values (${present.rows.map(() => '?').join(', ')})`)
  copy.exec('begin')
  for (;;) {
    const { rows } = await client.query({ text: `fetch ${ROWS_AT_ONCE} from foreign_rows`, rowMode: 'array' })
    for (const row of rows) insert.run(...row.map(asForeignValue))
    if (rows.length < ROWS_AT_ONCE) break
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
