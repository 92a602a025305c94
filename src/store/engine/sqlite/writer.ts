// The statements of one transaction on SQLite.
import type { Writer } from '../database.ts'
import { collectLastSteps } from '../last-steps.ts'
import { readerOf } from '../reader.ts'
import type { Compile, Sql } from '../sql.ts'
import { SCHEMA_TABLE } from './statement-tables.ts'
import type { Prepare, Prepared } from './statements.ts'

export type OpenWriter = {
  tx: Writer
  // When the work has ended.
  takeLastSteps(): void
  // Closes `tx`: a statement of the work that comes later, after a forgotten `await`, throws and does not become part of
  // another transaction. Returns whether the work has changed anything that a rollback must undo.
  end(): boolean
}

// Topics to signal after the commit and tables written to, collected over all works of the commit.
export type Effects = { topics: Set<string>; changedTables: Set<string> }

type WriterParts = Effects & { compile: Compile; prepare: Prepare }

export function openWriter({ compile, prepare, topics, changedTables }: WriterParts): OpenWriter {
  let isOpen = true
  let hasChanged = false
  const begin = (query: Sql) => {
    if (!isOpen) throw new Error('This transaction has ended.')
    const { text, values } = compile(query)
    const statement = prepare(text)
    for (const table of statement.tables().written) changedTables.add(table)
    return { statement, values }
  }
  // SQLite counts changed rows only for statements that change rows; a change of the schema has no count. An upsert that
  // finds a quota used up changes no row, so it leaves nothing to undo.
  const noteChange = (statement: Prepared, rows: number) => {
    const { written } = statement.tables()
    hasChanged ||= (written.length > 0 && rows > 0) || written.includes(SCHEMA_TABLE)
  }
  const all = async <Row>(query: Sql) => {
    const { statement, values } = begin(query)
    const rows = statement.all(values)
    noteChange(statement, rows.length)
    return rows as Row[]
  }
  const { takeAll: takeLastSteps, ...collecting } = collectLastSteps(() => tx)
  const tx: Writer = {
    ...readerOf(all),
    ...collecting,
    requireAlone() {},
    async execute(query) {
      const { statement, values } = begin(query)
      const changes = Number(statement.run(values).changes)
      noteChange(statement, changes)
      return changes
    },
    queue(query) {
      const { statement, values } = begin(query)
      hasChanged = true
      statement.run(values)
    },
    // Cheaper than `returning`.
    async insert<Id extends number>(query: Sql) {
      const { statement, values } = begin(query)
      hasChanged = true
      return Number(statement.run(values).lastInsertRowid) as Id
    },
    // SQLite has one writer at a time, and this transaction is it.
    async lock() {},
    signal(topic) {
      hasChanged = true
      topics.add(topic)
    },
  }
  const end = () => {
    isOpen = false
    return hasChanged
  }
  return { tx, takeLastSteps, end }
}
