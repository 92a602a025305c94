// A SQLite database of another program, opened for reading. Columns that came with a later version of that program may be missing.
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../domain/errors.ts'
import { loadSqlite } from '../engine/sqlite/connection.ts'

export type ForeignValue = string | number | bigint | null | Uint8Array
export type ForeignRow = Record<string, ForeignValue>

export type ForeignFile = {
  has(table: string, column: string): boolean
  // The columns that the table has, of those that are named; others are absent from the rows.
  rows(table: string, columns: string[], order: string): Iterable<ForeignRow>
  close(): void
}

export const openForeignFile = (path: string): ForeignFile => foreignFile(open(path))

export function foreignFile(db: DatabaseSync): ForeignFile {
  const columnsOf = (table: string) =>
    db
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name))
  return {
    has: (table, column) => columnsOf(table).includes(column),
    rows(table, columns, order) {
      const present = columnsOf(table)
      const names = columns.filter((name) => present.includes(name)).map((name) => `"${name}"`)
      return db
        .prepare(`select ${names.join(', ')} from "${table}" order by ${order}`)
        .iterate() as Iterable<ForeignRow>
    },
    close: () => db.close(),
  }
}

function open(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  if (!existsSync(path)) throw new StartError(`there is no file ${path}`)
  try {
    const db = new DatabaseSync(path, { readOnly: true })
    // Reads the header: a file that is no database is refused here.
    db.prepare('select count(*) from sqlite_master').get()
    return db
  } catch (error) {
    throw new StartError(
      `${path} cannot be read as a SQLite database: ${error instanceof Error ? error.message : error}`,
    )
  }
}

export const textIn = (row: ForeignRow, column: string): string => {
  const value = row[column]
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  return value === null || value === undefined ? '' : String(value)
}

export const numberIn = (row: ForeignRow, column: string): number => Number(row[column] ?? 0)
