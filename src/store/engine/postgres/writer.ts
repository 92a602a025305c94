// The statements of one transaction on PostgreSQL, pipelined: each is sent without waiting for the answers to those before.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Reader, Writer } from '../database.ts'
import { createCompile, FOR_UPDATE, type Sql, sql } from '../sql.ts'
import { mapFailure } from './failures.ts'
import type { WorkMarker } from './work-marker.ts'

export type OpenWriter = {
  tx: Writer
  // Closes `tx`: a statement of the work that comes later, after a forgotten `await`, throws and does not become part of
  // the connection's next transaction.
  end(): void
  pendingStatements: PendingStatements
  // Whether a commit of this transaction shows that the server can write.
  hasChanged(): boolean
}

type WriterParts = {
  client: pg.ClientBase
  send: Send
  topics: Set<string>
  marker: WorkMarker
  timeoutMs?: number
}

export function openWriter({ client, send, topics, marker, timeoutMs }: WriterParts): OpenWriter {
  let isOpen = true
  let hasChanged = false
  const pendingStatements = createPendingStatements()
  const requireOpen = () => {
    if (!isOpen) throw new Error('This transaction has ended.')
  }
  const answer = async (query: Sql) => {
    requireOpen()
    try {
      return await send(client, query, timeoutMs)
    } finally {
      if (isOpen) marker.goOn()
    }
  }
  const tx: Writer = {
    ...readerOf(answer),
    async execute(query) {
      const count = (await answer(query)).rowCount ?? 0
      hasChanged ||= count > 0
      return count
    },
    queue(query) {
      requireOpen()
      hasChanged = true
      pendingStatements.add(send(client, query, timeoutMs))
    },
    async insert<Id extends number>(query: Sql) {
      const { rows } = await answer(sql`${query} returning id`)
      hasChanged = true
      return rows[0].id as Id
    },
    lock: async (query) => {
      await answer(sql`${query} ${FOR_UPDATE}`)
    },
    signal: (topic) => topics.add(topic),
  }
  const end = () => {
    if (isOpen) marker.leave()
    isOpen = false
  }
  return { tx, end, pendingStatements, hasChanged: () => hasChanged }
}

export function readerOf(answer: (query: Sql) => Promise<pg.QueryResult>): Reader {
  const all = async <Row>(query: Sql) => (await answer(query)).rows as Row[]
  return {
    all,
    first: async <Row>(query: Sql) => (await all<Row>(query))[0],
    cached: async <Row, Result>(query: Sql, make: (rows: Row[]) => Result) => make(await all<Row>(query)),
  }
}

// Statements that were sent and whose answers no code awaits before the end of the transaction.
export type PendingStatements = {
  add(statement: Promise<unknown>): void
  // Waits for all answers. Returns the first error, if any: after it, PostgreSQL refuses every statement with 25P02.
  firstFailure(): Promise<unknown>
}

function createPendingStatements(): PendingStatements {
  const statements: Promise<unknown>[] = []
  let first: unknown
  return {
    add(statement) {
      statements.push(statement.catch((error) => (first ??= error)))
    },
    async firstFailure() {
      await Promise.all(statements)
      return first
    },
  }
}

export type Send = (client: pg.Pool | pg.ClientBase, query: Sql, timeoutMs?: number) => Promise<pg.QueryResult>

// pg reads `query_timeout` of a single query too, though its types do not say so.
type Statement = pg.QueryConfig & { query_timeout?: number }

export function createSend(): Send {
  const compile = createCompile('postgres')
  const names = new Map<string, string>()

  // PostgreSQL parses and plans a statement with a name once per connection.
  function nameOf(text: string): string {
    const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
    return name
  }

  return async (client, query, timeoutMs) => {
    const { text, values } = compile(query)
    const statement: Statement = { name: nameOf(text), text, values: values as unknown[] }
    if (timeoutMs) statement.query_timeout = timeoutMs
    try {
      return await client.query(statement)
    } catch (error) {
      throw mapFailure(error)
    }
  }
}
