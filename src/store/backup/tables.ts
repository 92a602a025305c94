// Which tables a backup holds, how their rows are read in one order on both databases, and how they are written back.

import type { Snapshot } from '../engine/backup.ts'
import { listTables, type Table } from '../engine/catalog.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { type Fragment, fragment, IN_BYTE_ORDER, joined, type Sql, type SqlValue } from '../engine/sql.ts'

// With SQLite the secrets are files. A backup holds them as rows of this table wherever they are.
export const SECRETS_TABLE = 'server_secrets'

// What running processes hold: open connections and waits, and when nodes were last seen. A restored server has none.
const OF_PROCESSES = ['channel_nodes', 'event_streams', 'open_waits', 'rate_counters']
// Uploads are kept for a day and may be many times the size of everything else; with SQLite their content is not in the
// database.
const SHORT_LIVED = ['files', 'file_chunks']
// The migrations themselves fill it.
const OF_THE_SCHEMA = ['migrations']

export async function listBackupTables(db: Reader): Promise<Table[]> {
  const tables = await listTables(db)
  const leftOut = [...OF_PROCESSES, ...SHORT_LIVED, ...OF_THE_SCHEMA]
  return tables.filter(({ name }) => !leftOut.includes(name))
}

export const hasIdentity = ({ columns }: Table) => columns.some(({ isIdentity }) => isIdentity)

// In the order of the primary key, so that two backups of the same rows are equal byte for byte.
export function readRows(snapshot: Snapshot, table: Table): AsyncIterable<SqlValue[][]> {
  const key = table.columns.filter(({ keyPosition }) => keyPosition > 0)
  const order = key.length > 0 ? key.toSorted((a, b) => a.keyPosition - b.keyPosition) : table.columns
  const parts = order.map(({ name, isText }) => (isText ? [quoted(name), IN_BYTE_ORDER] : [quoted(name)]))
  return snapshot.batches(
    joined(['select ', ' from ', ' order by ', ''], [names(table), quoted(table.name), commaList(parts)]),
  )
}

// Several rows in one statement take a third of the time of single ones on PostgreSQL.
const ROWS_PER_STATEMENT = 50

// Returns a function that inserts rows into the table, each with a cell per column.
export function rowWriter(tx: Writer, table: Table): (rows: SqlValue[][]) => Promise<void> {
  const head = joined(['insert into ', ' (', ') ', ' values '], [quoted(table.name), names(table), EXPLICIT_NUMBERS])
  // A statement is compiled and prepared once for each array of texts.
  const textsByCount = new Map<number, string[]>()
  const insert = (rows: SqlValue[][]) => {
    const texts = textsByCount.get(rows.length) ?? textsAroundCells(rows.length, table.columns.length)
    textsByCount.set(rows.length, texts)
    return tx.execute(joined(texts, [head, ...rows.flat()]))
  }
  return async (rows) => {
    const starts = Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, n) => n * ROWS_PER_STATEMENT)
    await Promise.all(starts.map((start) => insert(rows.slice(start, start + ROWS_PER_STATEMENT))))
  }
}

// '' head '(' cell ', ' cell '), (' cell ', ' cell ')'
function textsAroundCells(rowCount: number, columnCount: number): string[] {
  const before = (cell: number) => (cell === 0 ? '(' : cell % columnCount === 0 ? '), (' : ', ')
  return ['', ...Array.from({ length: rowCount * columnCount }, (_, cell) => before(cell)), ')']
}

const EXPLICIT_NUMBERS = fragment({ sqlite: '', postgres: 'overriding system value' })

const quoted = (name: string) => fragment(`"${name}"`)
const names = ({ columns }: Table) => commaList(columns.map(({ name }) => [quoted(name)]))

function commaList(items: Fragment[][]): Sql {
  return joined(
    ['', ...items.slice(1).map(() => ', '), ''],
    items.map((item) => joined(['', ...item.slice(1).map(() => ' '), ''], item)),
  )
}
