// The statements of one transaction on SQLite.
import type { Writer } from '../database.ts'
import { compile, type Sql } from '../sql.ts'
import type { SqliteConnection } from './module.ts'
import { prepareOnce } from './statements.ts'

export type OpenWriter = {
  tx: Writer
  // After it, a forgotten `await` in the work fails loudly instead of writing into a neighbour's transaction.
  // Returns whether the work has changed anything, so that there is something to undo.
  end(): boolean
}

export function openWriter(connection: SqliteConnection, topics: Set<string>, ran: Set<string>): OpenWriter {
  const prepared = prepareOnce(connection)
  let open = true
  let hasActed = false
  const begin = (query: Sql) => {
    if (!open) throw new Error('This transaction has ended.')
    const { text, values } = compile(query, 'sqlite')
    ran.add(text)
    const statement = prepared(text)
    hasActed ||= statement.kind === 'other'
    return { statement, values }
  }
  // A quota that is used up and a key that is taken are upserts that change no row: they leave nothing to undo.
  const note = (kind: string, changedRows: number) => {
    hasActed ||= kind === 'change' && changedRows > 0
  }
  const all = (query: Sql): unknown[] => {
    const { statement, values } = begin(query)
    const rows = statement.all(values)
    note(statement.kind, rows.length)
    return rows
  }
  const tx: Writer = {
    all: async <Row>(query: Sql) => all(query) as Row[],
    async first<Row>(query: Sql) {
      const { statement, values } = begin(query)
      const row = statement.first(values)
      note(statement.kind, row ? 1 : 0)
      return row as Row | undefined
    },
    few: async <Row, Made>(query: Sql, make: (row: Row) => Made) => (all(query) as Row[]).map(make),
    async run(query) {
      const { statement, values } = begin(query)
      const changes = Number(statement.run(...values).changes)
      note(statement.kind, changes)
      return changes
    },
    write(query) {
      const { statement, values } = begin(query)
      hasActed = true
      statement.act(values)
    },
    // Cheaper than `returning`.
    async insert<Id extends number>(query: Sql) {
      const { statement, values } = begin(query)
      hasActed = true
      return Number(statement.run(...values).lastInsertRowid) as Id
    },
    // There is one writer at a time, and it is us.
    async lock() {},
    signal(topic) {
      hasActed = true
      topics.add(topic)
    },
  }
  const end = () => {
    open = false
    return hasActed
  }
  return { tx, end }
}
