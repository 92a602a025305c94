// The statements of one transaction on PostgreSQL, pipelined: each is sent without waiting for the answers to those before.
import { createHash } from 'node:crypto'
import type { Reader, Writer } from '../database.ts'
import { collectLastSteps } from '../last-steps.ts'
import { createCompile, FOR_UPDATE, type Sql, sql } from '../sql.ts'
import type { Answer, Statement } from './pipeline.ts'

export type OpenWriter = {
  tx: Writer
  // When all works have ended, before the commit.
  takeLastSteps(): void
  // Closes `tx`: a statement of the work that comes later, after a forgotten `await`, throws and does not become part of
  // the connection's next transaction.
  end(): void
  // Whether a commit of this transaction shows that the server can write.
  hasChanged(): boolean
}

export function openWriter(ask: Ask, topics: Set<string>): OpenWriter {
  let isOpen = true
  let hasChanged = false
  const requireOpen = () => {
    if (!isOpen) throw new Error('This transaction has ended.')
  }
  const answer = async (query: Sql) => {
    requireOpen()
    return ask(query)
  }
  const queue = (query: Sql) => {
    requireOpen()
    hasChanged = true
    void ask(query)
  }
  const { takeAll: takeLastSteps, ...collecting } = collectLastSteps(() => tx)
  const tx: Writer = {
    ...readerOf(answer),
    ...collecting,
    requireAlone() {},
    async execute(query) {
      const count = (await answer(query)).rowCount
      hasChanged ||= count > 0
      return count
    },
    queue,
    queueBoth: (first, second) => queue(sql`with first as (${first}) ${second}`),
    async insert<Id extends number>(query: Sql) {
      const { rows } = await answer(sql`${query} returning id`)
      hasChanged = true
      return rows[0]?.id as Id
    },
    lock: async (query) => {
      await answer(sql`${query} ${FOR_UPDATE}`)
    },
    signal: (topic) => topics.add(topic),
  }
  const end = () => {
    isOpen = false
  }
  return { tx, takeLastSteps, end, hasChanged: () => hasChanged }
}

// `together` is for the queries that every request makes.
export function readerOf(answer: Ask, together = answer): Reader {
  const all = async <Row>(query: Sql) => (await answer(query)).rows as Row[]
  return {
    all,
    first: async <Row>(query: Sql) => (await all<Row>(query))[0],
    cached: async <Row, Result>(query: Sql, make: (rows: Row[]) => Result) =>
      make((await together(query)).rows as Row[]),
  }
}

export type Ask = (query: Sql) => Promise<Answer>

// PostgreSQL parses and plans a statement with a name once per connection.
export function createToStatement(): (query: Sql) => Statement {
  const compile = createCompile('postgres')
  const names = new Map<string, string>()

  function nameOf(text: string): string {
    const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
    return name
  }

  return (query) => {
    const { text, values } = compile(query)
    return { name: nameOf(text), text, values }
  }
}
