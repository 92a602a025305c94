// Statements of one connection up to one Sync. PostgreSQL runs them as one transaction, which the Sync commits, without a
// BEGIN and a COMMIT of their own. Statements of one event-loop turn travel together, and so do their answers: pg itself
// sends a Sync after every statement, and the server answers each Sync with a system call.
//
//   ask, ask, …  ──►  Bind Execute Bind Execute … Flush  ──►  answers
//   ask, commit  ──►  Bind Execute … Sync                ──►  answers, ReadyForQuery: committed
//   an error of  ──►  Sync: PostgreSQL has rolled back and skips all statements up to it
//   a statement
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import pg from 'pg'
import type { SqlValue } from '../sql.ts'

// PostgreSQL parses a statement once per connection, by its name.
export type Statement = { name: string; text: string; values: readonly SqlValue[] }
export type Answer = { rows: Record<string, unknown>[]; rowCount: number }

export type Pipeline = {
  // Sent at the end of this turn, without waiting for the answers to earlier ones.
  ask(statement: Statement): Promise<Answer>
  // Resolves when everything is on disk. Rejects with the first failure, after which nothing is stored unless
  // `mayBeCommitted`.
  commit(): Promise<void>
  // Whether the pipeline failed after the Sync was sent and before the server told what became of it.
  mayBeCommitted(): boolean
  rollBack(): Promise<void>
}

// In an open pipeline, BEGIN makes an explicit transaction of the statements before it, which ROLLBACK ends.
const BEGIN: Statement = { name: 'begin', text: 'begin', values: [] }
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback', values: [] }

// `timeoutMs`: for each answer. A connection that stays silent for longer is closed.
export function openPipeline(client: pg.ClientBase, timeoutMs: number): Pipeline {
  const { connection } = client as pg.ClientBase & { connection: Connection }
  const known = statementsOf(connection)
  const unsent: Asked[] = []
  const unanswered: Asked[] = []
  // False while the client still waits for the end of a pipeline that has failed.
  let isSubmitted = false
  let isWriting = false
  let isEnding = false
  let isSynced = false
  let failure: Error | undefined
  const timer = setTimeout(closeIfSilent, timeoutMs)
  const end = Promise.withResolvers<void>()
  end.promise.catch(() => {})

  function ask(statement: Statement): Promise<Answer> {
    assert(!isSynced || failure, 'a pipeline sends nothing after its Sync')
    const answer = Promise.withResolvers<Answer>()
    // The commit rejects with the failure too, for statements whose answers no code awaits.
    answer.promise.catch(() => {})
    if (failure) answer.reject(failure)
    else unsent.push({ ...statement, rows: [], ...answer })
    writeLater()
    return answer.promise
  }

  // nextTick runs after the microtasks, in which the work asks everything that it can ask by now.
  function writeLater() {
    if (isWriting || !isSubmitted) return
    isWriting = true
    process.nextTick(write)
  }

  function write() {
    isWriting = false
    if (isSynced) return
    isSynced = isEnding || failure !== undefined
    connection.stream.cork()
    for (const asked of unsent.splice(0)) {
      send(connection, asked, known)
      unanswered.push(asked)
    }
    if (isSynced) connection.sync()
    else connection.flush()
    connection.stream.uncork()
    timer.refresh()
  }

  function fail(error: Error) {
    failure ??= error
    for (const asked of [...unanswered.splice(0), ...unsent.splice(0)]) {
      // The server skips it, unless it has told that it parsed it.
      delete connection.submittedNamedStatements[asked.name]
      asked.reject(failure)
    }
    end.reject(failure)
    // Only after an error of the server: otherwise the Sync would commit, if it reached the server.
    if (isSubmitted && error instanceof pg.DatabaseError) write()
    clearTimeout(timer)
  }

  const mayBeCommitted = () => isSynced && failure !== undefined && !hasRolledBack(failure)

  function closeIfSilent() {
    const isWorkPausing = isSubmitted && unanswered.length === 0 && !isSynced
    if (isWorkPausing) timer.refresh()
    else connection.stream.destroy(new Silence())
  }

  // The handlers are called by pg.
  const submittable: Submittable = {
    submit() {
      isSubmitted = true
      writeLater()
      return null
    },
    // pg records by these which statement the server has parsed.
    get name() {
      return unanswered[0]?.name
    },
    get text() {
      return unanswered[0]?.text
    },
    handleRowDescription({ fields }) {
      const [asked] = unanswered
      const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: client.getTypeParser(dataTypeID) }))
      if (asked) known.set(asked.name, columns)
    },
    handleDataRow({ fields }) {
      const [asked] = unanswered
      asked?.rows.push(toRow(known.get(asked.name) ?? [], fields))
    },
    handleCommandComplete({ text }) {
      const asked = unanswered.shift()
      if (!asked) return
      timer.refresh()
      if (!known.has(asked.name)) known.set(asked.name, [])
      asked.resolve({ rows: asked.rows, rowCount: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 })
    },
    handleError: fail,
    handleReadyForQuery() {
      clearTimeout(timer)
      // By an error and not by an assertion: pg calls this, and nobody would catch it.
      if (unanswered.length > 0 || !isSynced) fail(new Error('PostgreSQL has ended a pipeline early'))
      end.resolve()
    },
  }
  client.query(submittable)

  return {
    ask,
    commit() {
      isEnding = true
      writeLater()
      return end.promise
    },
    mayBeCommitted,
    async rollBack() {
      if (failure) return
      isEnding = true
      void ask(BEGIN)
      void ask(ROLLBACK)
      await end.promise
    },
  }
}

// An error of a statement rolls back. "Terminating connection" (57P01 and others) can also come after the commit, while the
// server waits for a synchronous standby.
const hasRolledBack = (failure: Error): boolean =>
  failure instanceof pg.DatabaseError && !failure.code?.startsWith('57P')

// The network dropped the connection: nothing arrived for as long as an answer may take.
class Silence extends Error {
  constructor() {
    super('connection timeout: the server has not answered')
  }
}

export const isSilence = (error: unknown): boolean => error instanceof Silence

type Asked = Statement & { rows: Answer['rows'] } & PromiseWithResolvers<Answer>

// The columns of the statements that a connection has run, so that the server describes them once.
const statementsByConnection = new WeakMap<Connection, Map<string, Column[]>>()

function statementsOf(connection: Connection): Map<string, Column[]> {
  const known = statementsByConnection.get(connection) ?? new Map()
  statementsByConnection.set(connection, known)
  return known
}

function send(connection: Connection, { name, text, values }: Statement, known: Map<string, Column[]>): void {
  const { parsedStatements, submittedNamedStatements } = connection
  if (!(name in parsedStatements || name in submittedNamedStatements)) {
    connection.parse({ name, text })
    submittedNamedStatements[name] = text
  }
  connection.bind({ statement: name, values, valueMapper: toText })
  if (!known.has(name)) connection.describe({ type: 'P' })
  connection.execute()
}

const toText = (value: SqlValue): string | null => (value === null ? null : String(value))

type Column = { name: string; parse(text: string): unknown }

function toRow(columns: Column[], cells: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) {
    const { name, parse } = columns[i] as Column
    const cell = cells[i] as string | null
    row[name] = cell === null ? null : parse(cell)
  }
  return row
}

// What pg gives to a query object of our own, as pg-cursor uses it; its types do not say so.
type Field = { name: string; dataTypeID: number }
type Connection = {
  stream: Socket
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(values: { statement: string; values: readonly SqlValue[]; valueMapper: typeof toText }): void
  describe(what: { type: 'P' }): void
  execute(): void
  flush(): void
  sync(): void
}
type Submittable = {
  submit(): null
  readonly name: string | undefined
  readonly text: string | undefined
  handleRowDescription(message: { fields: Field[] }): void
  handleDataRow(message: { fields: (string | null)[] }): void
  handleCommandComplete(message: { text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}
