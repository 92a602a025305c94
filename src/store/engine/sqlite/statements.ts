// Statements of SQLite, prepared once per connection, and quick ways to run them.
import type { SqlValue } from '../sql.ts'
import type { SqliteConnection, SqliteStatement } from './module.ts'

type Values = readonly SqlValue[]
type Prepared = Pick<SqliteStatement, 'run'> & {
  // SQLite counts the rows of a change; the count of anything else is that of an earlier statement.
  kind: 'read' | 'change' | 'other'
  // As `run`, without the counts: making an object of them takes longer than to begin a statement.
  act(values?: Values): void
  all(values: Values): unknown[]
  first(values: Values): unknown
}

const STATEMENTS = new WeakMap<SqliteConnection, Map<string, Prepared>>()

export function prepareOnce(connection: SqliteConnection): (text: string) => Prepared {
  const known = STATEMENTS.get(connection) ?? new Map<string, Prepared>()
  STATEMENTS.set(connection, known)
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
  return {
    kind: kindOf(text),
    run: (...values) => statement.run(...values),
    act: (values = []) => void statement.get(...values),
    all: (values) => (statement.all(...values) as unknown[][]).map(toRow),
    first(values) {
      const cells = statement.get(...values) as unknown[] | undefined
      return cells && toRow(cells)
    },
  }
}

function kindOf(text: string): Prepared['kind'] {
  if (/^\s*select\b/i.test(text)) return 'read'
  return /^\s*(insert|update|delete)\b/i.test(text) ? 'change' : 'other'
}

// A literal with the names written out gives all rows of a statement one shape; setting one name after the other takes
// ten times as long. The names are those of our own statements.
function rowMaker(names: string[]): (cells: unknown[]) => unknown {
  const members = names.map((name, index) => `${JSON.stringify(name)}: cells[${index}]`)
  return new Function('cells', `return { ${members.join(', ')} }`) as (cells: unknown[]) => unknown
}
