// Which tables a statement reads and writes, asked of SQLite itself: EXPLAIN lists every table and index that the compiled
// statement opens, by its root page. That includes tables behind views, triggers and foreign keys that cascade.
import type { SqliteConnection } from './connection.ts'

export type StatementTables = { readonly read: readonly string[]; readonly written: readonly string[] }

// Every change of the schema writes to this table. Its root page is always 1.
export const SCHEMA_TABLE = 'sqlite_schema'

type Instruction = { opcode: string; p1: number; p2: number }

export function findTables(connection: SqliteConnection, text: string): StatementTables {
  const program = connection.prepare(`explain ${text}`).all() as unknown as Instruction[]
  const tableAt = rootPages(connection)
  const tablesOf = (pages: number[]) => [...new Set(pages.map((page) => tableAt.get(page) ?? SCHEMA_TABLE))]
  return { read: tablesOf(program.flatMap(pagesRead)), written: tablesOf(program.flatMap(pagesWritten)) }
}

const pagesRead = ({ opcode, p2 }: Instruction): number[] =>
  opcode === 'OpenRead' || opcode === 'ReopenIdx' ? [p2] : []

function pagesWritten({ opcode, p1, p2 }: Instruction): number[] {
  if (opcode === 'OpenWrite') return [p2]
  // A delete without a condition clears the table at once.
  return opcode === 'Clear' ? [p1] : []
}

type RootPages = { schemaVersion: number; tableAt: Map<number, string> }

// Kept until the schema changes: to read it takes longer than to explain a statement.
const known = new WeakMap<SqliteConnection, RootPages>()

function rootPages(connection: SqliteConnection): Map<number, string> {
  const schemaVersion = Number(connection.prepare('pragma schema_version').get()?.schema_version)
  const last = known.get(connection)
  if (last?.schemaVersion === schemaVersion) return last.tableAt
  const rows = connection.prepare('select rootpage, tbl_name from sqlite_schema where rootpage > 0').all()
  const tableAt = new Map(rows.map(({ rootpage, tbl_name }) => [Number(rootpage), String(tbl_name)]))
  known.set(connection, { schemaVersion, tableAt })
  return tableAt
}
