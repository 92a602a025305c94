// The statements of one transaction on PostgreSQL, sent without waiting for the answers to those before.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Reader, Writer } from '../database.ts'
import { compile, FOR_UPDATE, type Sql, sql } from '../sql.ts'
import { mapFailure } from './failures.ts'
import type { WorkMarker } from './work-marker.ts'

export type OpenWriter = {
  tx: Writer
  // After it, a forgotten `await` in the work fails loudly instead of writing into the connection's next transaction.
  end(): void
  unwatched: Unwatched
  // Whether a commit of this transaction shows that the server can write.
  hasStored(): boolean
}

type WriterParts = { client: pg.PoolClient; topics: Set<string>; marker: WorkMarker; patienceMs?: number }

export function openWriter({ client, topics, marker, patienceMs }: WriterParts): OpenWriter {
  let open = true
  let hasStored = false
  const unwatched = createUnwatched()
  const requireOpen = () => {
    if (!open) throw new Error('This transaction has ended.')
  }
  const answer = async (query: Sql) => {
    requireOpen()
    try {
      return await send(client, query, patienceMs)
    } finally {
      if (open) marker.goOn()
    }
  }
  const tx: Writer = {
    ...readerOf(answer),
    async run(query) {
      const count = (await answer(query)).rowCount ?? 0
      hasStored ||= count > 0
      return count
    },
    write(query) {
      requireOpen()
      hasStored = true
      unwatched.add(send(client, query, patienceMs))
    },
    async insert<Id extends number>(query: Sql) {
      const { rows } = await answer(sql`${query} returning id`)
      hasStored = true
      return rows[0].id as Id
    },
    lock: async (query) => {
      await answer(sql`${query} ${FOR_UPDATE}`)
    },
    signal: (topic) => topics.add(topic),
  }
  const end = () => {
    if (open) marker.leave()
    open = false
  }
  return { tx, end, unwatched, hasStored: () => hasStored }
}

export function readerOf(answer: (query: Sql) => Promise<pg.QueryResult>): Reader {
  const all = async <Row>(query: Sql) => (await answer(query)).rows as Row[]
  return {
    all,
    first: async <Row>(query: Sql) => (await all<Row>(query))[0],
    cached: async <Row, Result>(query: Sql, make: (rows: Row[]) => Result) => make(await all<Row>(query)),
  }
}

// Statements whose answers nobody waits for before the end, and which of them failed first.
export type Unwatched = { add(statement: Promise<unknown>): void; failure(): Promise<unknown> }

function createUnwatched(): Unwatched {
  const statements: Promise<unknown>[] = []
  let first: unknown
  return {
    add(statement) {
      statements.push(statement.catch((error) => (first ??= error)))
    },
    async failure() {
      await Promise.all(statements)
      return first
    },
  }
}

// pg reads `query_timeout` of a single query too, though its types do not say so.
type Statement = pg.QueryConfig & { query_timeout?: number }

export async function send(client: pg.Pool | pg.PoolClient, query: Sql, patienceMs?: number): Promise<pg.QueryResult> {
  const { text, values } = compile(query, 'postgres')
  const statement: Statement = { name: statementName(text), text, values: values as unknown[] }
  if (patienceMs) statement.query_timeout = patienceMs
  try {
    return await client.query(statement)
  } catch (error) {
    throw mapFailure(error)
  }
}

const NAMES = new Map<string, string>()

// A name lets PostgreSQL parse and plan a statement once per connection.
function statementName(text: string): string {
  const known = NAMES.get(text)
  if (known) return known
  const name = createHash('sha1').update(text).digest('base64url')
  NAMES.set(text, name)
  return name
}
