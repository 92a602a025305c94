// Statements of SQLite, each prepared once per connection.
import type { SqlValue } from '../sql.ts'
import type { SqliteConnection, SqliteStatement } from './module.ts'
import { findTables, type StatementTables } from './statement-tables.ts'

type Values = readonly SqlValue[]
export type Prepared = Pick<SqliteStatement, 'run'> & {
  tables(): StatementTables
  // As `run`, without the counts: making an object of them takes longer than to begin a statement.
  act(values?: Values): void
  all(values: Values): unknown[]
  first(values: Values): unknown
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

// SQLite's binding takes three times as long to make an object of a wide row as to make an array of it.
function prepare(connection: SqliteConnection, text: string): Prepared {
  const statement = connection.prepare(text)
  statement.setReturnArrays(true)
  const toRow = rowMaker(statement.columns().map(({ name }) => name))
  let tables: StatementTables | undefined
  return {
    tables: () => (tables ??= findTables(connection, text)),
    run: (...values) => statement.run(...values),
    act: (values = []) => void statement.get(...values),
    all: (values) => (statement.all(...values) as unknown[][]).map(toRow),
    first(values) {
      const cells = statement.get(...values) as unknown[] | undefined
      return cells && toRow(cells)
    },
  }
}

// A literal with the names written out gives all rows of a statement one shape; setting one name after the other takes
// ten times as long. The names are those of our own statements.
function rowMaker(names: string[]): (cells: unknown[]) => unknown {
  const members = names.map((name, index) => `${JSON.stringify(name)}: cells[${index}]`)
  return new Function('cells', `return { ${members.join(', ')} }`) as (cells: unknown[]) => unknown
}
