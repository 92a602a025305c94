// Statements of SQLite, each prepared once per connection.
import type { StatementResultingChanges } from 'node:sqlite'
import type { SqlValue } from '../sql.ts'
import type { SqliteConnection } from './connection.ts'
import { findTables, type StatementTables } from './statement-tables.ts'

type Values = readonly SqlValue[]
export type Prepared = {
  tables(): StatementTables
  run(values?: Values): StatementResultingChanges
  all(values: Values): unknown[]
}

export type Prepare = (text: string) => Prepared

export function prepareOnce(connection: SqliteConnection): Prepare {
  const known = new Map<string, Prepared>()
  return (text) => {
    const statement = known.get(text) ?? prepare(connection, text)
    known.set(text, statement)
    return statement
  }
}

function prepare(connection: SqliteConnection, text: string): Prepared {
  const statement = connection.prepare(text)
  // Node builds the objects of wide rows slower than we do from arrays: it makes the strings of all names for every row.
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  let tables: StatementTables | undefined
  return {
    tables: () => (tables ??= findTables(connection, text)),
    run: (values = []) => statement.run(...values),
    // Node's types do not know what setReturnArrays does.
    all: (values) => (statement.all(...values) as unknown as unknown[][]).map((cells) => toRow(names, cells)),
  }
}

function toRow(names: string[], cells: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < names.length; i++) row[names[i] as string] = cells[i]
  return row
}
