// The statements of one transaction on PostgreSQL, pipelined: each is sent without waiting for the answers to those before.
import assert from 'node:assert/strict'
import type { Work, Writer } from '../database.ts'
import { collectLastSteps } from '../last-steps.ts'
import { readerOf } from '../reader.ts'
import { createCompile, FOR_UPDATE, includes, type Sql, sql } from '../sql.ts'
import type { Answer, Statement } from './pipeline.ts'

// `isShared`: works of other rows share the transaction. `mustLock`: the first statement must lock a row (groups.ts).
type Sharing = { isShared: boolean; mustLock: boolean }
const ALONE: Sharing = { isShared: false, mustLock: false }

// Thrown by `requireAlone` if works of other rows share the transaction.
export class MustRunAlone extends Error {}

export type OpenWriter = {
  tx: Writer
  // Whether a rollback must undo something, and a commit shows that the server can write.
  hasChanged(): boolean
}

export type Transaction = {
  // For one work.
  openWriter(sharing?: Sharing): OpenWriter
  // When all works have ended, before the commit.
  takeLastSteps(): void
  // Closes all writers: a statement of a work that comes later, after a forgotten `await`, throws and does not become part of
  // the connection's next transaction.
  end(): void
  hasChanged(): boolean
}

// What runs in a transaction: one work, or several.
export type Run<Result> = (transaction: Transaction) => Promise<Result>
export const runAlone =
  <Result>(work: Work<Result>): Run<Result> =>
  ({ openWriter }) =>
    work(openWriter().tx)

export function openTransaction(ask: Ask, topics: Set<string>): Transaction {
  let isOpen = true
  const writers: OpenWriter[] = []
  const { takeAll: takeLastSteps, later, takeNow } = collectLastSteps(() => ofLastSteps.tx)
  const ofLastSteps = openWriter()

  function openWriter({ isShared, mustLock } = ALONE): OpenWriter {
    let hasChanged = false
    let hasLocked = !mustLock
    const send = (query: Sql) => {
      if (!isOpen) throw new Error('This transaction has ended.')
      assert(hasLocked, 'the first statement of a work that names a row locks it')
      return ask(query)
    }
    const note = (query: Sql) => {
      const isChange = !isSelect(query)
      hasChanged ||= isChange
      hasLocked ||= isChange || includes(query, FOR_UPDATE)
      return query
    }
    const tx: Writer = {
      ...readerOf(async <Row>(query: Sql) => (await send(note(query))).rows as Row[]),
      // An upsert that finds a quota used up changes no row.
      async execute(query) {
        hasLocked = true
        const { rowCount } = await send(query)
        hasChanged ||= rowCount > 0
        return rowCount
      },
      queue(query) {
        void send(note(query))
      },
      async insert<Id extends number>(query: Sql) {
        const { rows } = await send(note(sql`${query} returning id`))
        return rows[0]?.id as Id
      },
      async lock(query) {
        hasLocked = true
        await send(sql`${query} ${FOR_UPDATE}`)
      },
      signal(topic) {
        hasChanged = true
        topics.add(topic)
      },
      later(step, item) {
        hasChanged = true
        later(step, item)
      },
      takeNow,
      requireAlone() {
        if (isShared) throw new MustRunAlone()
      },
    }
    const writer = { tx, hasChanged: () => hasChanged }
    writers.push(writer)
    return writer
  }

  return {
    openWriter,
    takeLastSteps,
    end() {
      isOpen = false
    },
    hasChanged: () => writers.some((writer) => writer.hasChanged()),
  }
}

const isSelect = ({ strings }: Sql): boolean => strings[0]?.trimStart().startsWith('select') ?? false

export type Ask = (query: Sql) => Promise<Answer>

// PostgreSQL parses and plans a statement with a name once per connection.
export function createToStatement(): (query: Sql) => Statement {
  const compile = createCompile('postgres')
  const names = new Map<string, string>()

  return (query) => {
    const { text, values } = compile(query)
    const name = names.get(text) ?? `statement ${names.size}`
    names.set(text, name)
    return { name, text, values }
  }
}
