// PostgreSQL, for more than one process. A pool of connections; named statements, sent without waiting for the answers
// to those before; a change that loses a race for a lock is run again.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { Problem } from '../contract/problems.ts'
import { StartError } from '../domain/start-error.ts'
import type { Database, Reader, Writer } from './database.ts'
import { CONNECTION_MS, connectionOptions } from './postgres-connection.ts'
import { openPostgresSignals } from './postgres-signals.ts'
import { compile, FOR_UPDATE, type Sql, sql } from './sql.ts'

const POOL_SIZE = 10
const RETRIES = 5
// Shorter than the patience of the connection, so that a slow server says so itself.
const STATEMENT_MS = CONNECTION_MS - 500

const UNHURRIED_MS = 24 * 3600 * 1000

type Work<Result> = (tx: Writer) => Promise<Result>
type How = { keep: boolean; unhurried?: boolean }

export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: POOL_SIZE,
    statement_timeout: STATEMENT_MS,
    pipeline: true,
  })
  // A connection that breaks is replaced by the pool; without a listener the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await checkServer(pool, url).catch(async (error) => {
    await pool.end()
    throw error
  })
  const signals = openPostgresSignals(url)
  const begun = new Set<Promise<unknown>>()

  async function attempt<Result>(work: Work<Result>, { keep, unhurried }: How): Promise<Result> {
    const client = await pool.connect()
    const topics = new Set<string>()
    const { tx, end, unwatched } = openWriter(client, topics, unhurried ? UNHURRIED_MS : undefined)
    let broken: Error | undefined
    try {
      unwatched.add(client.query(unhurried ? `begin; set local statement_timeout = ${UNHURRIED_MS}` : BEGIN))
      const result = await work(tx)
      end()
      const { command } = await client.query(keep ? COMMIT : ROLLBACK)
      const failure = await unwatched.failure()
      if (failure) throw failure
      // A statement failed and the work went on regardless; PostgreSQL then takes a commit as a rollback, without an error.
      if (keep && command !== 'COMMIT') throw new Error('The work went on after a statement that failed.')
      if (keep) signals.publish(topics)
      return result
    } catch (error) {
      // First of all: what else the work is about to write would be written after the rollback, for good.
      end()
      // After one statement has failed, those behind it only say so.
      const cause = (await unwatched.failure()) ?? error
      broken = await undo(client, mapFailure(cause))
      throw cause
    } finally {
      client.release(broken)
    }
  }

  async function insist<Result>(work: Work<Result>, how: How): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work, how)
      } catch (error) {
        if (tries >= RETRIES || !isConflict(error)) throw mapFailure(error)
      }
    }
  }

  function begin<Result>(work: Work<Result>, how: How): Promise<Result> {
    const running = insist(work, how).finally(() => begun.delete(running))
    begun.add(running)
    return running
  }

  return {
    read: readerOf((query) => send(pool, query)),
    transact: (work, pace) => begin(work, { keep: true, unhurried: pace === 'unhurried' }),
    rehearse: (work) => begin(work, { keep: false }),
    signals,
    async close() {
      await Promise.allSettled(begun)
      await signals.close()
      await pool.end()
    },
  }
}

// Returns why the connection is of no more use, if so. One that is lost is not asked: it would not answer.
async function undo(client: pg.PoolClient, failure: unknown): Promise<Error | undefined> {
  if (failure instanceof Problem && failure.problem === 'service.unavailable') return failure
  return client.query(ROLLBACK).then(
    () => undefined,
    (error: Error) => error,
  )
}

// Named, they are gathered with the statements around them.
const BEGIN = { name: 'begin', text: 'begin' }
const COMMIT = { name: 'commit', text: 'commit' }
const ROLLBACK = { name: 'rollback', text: 'rollback' }

const OLDEST_VERSION = 150_000

async function checkServer(pool: pg.Pool, url: string): Promise<void> {
  const place = placeOf(url)
  const answer = await pool.query('show server_version_num').catch((error: Error) => {
    throw new StartError(`PostgreSQL at ${place} cannot be reached (${reasonOf(error)}); check HELIOGRAPH_DATABASE_URL`)
  })
  if (Number(answer.rows[0].server_version_num) < OLDEST_VERSION) {
    throw new StartError(`PostgreSQL at ${place} is older than version 15`)
  }
}

// Where, without user and password.
const placeOf = (url: string) => new URL(url).host || 'its local socket'
const reasonOf = (error: Error) => ('code' in error && !error.message ? String(error.code) : error.message)

function readerOf(answer: (query: Sql) => Promise<pg.QueryResult>): Reader {
  const all = async <Row>(query: Sql) => (await answer(query)).rows as Row[]
  return {
    all,
    first: async <Row>(query: Sql) => (await all<Row>(query))[0],
    few: async <Row, Made>(query: Sql, make: (row: Row) => Made) => (await all<Row>(query)).map(make),
  }
}

// After `end`, a forgotten `await` in the work fails loudly instead of writing into the connection's next transaction.
function openWriter(client: pg.PoolClient, topics: Set<string>, patienceMs?: number) {
  let open = true
  const unwatched = createUnwatched()
  const requireOpen = () => {
    if (!open) throw new Error('This transaction has ended.')
  }
  const answer = async (query: Sql) => {
    requireOpen()
    return send(client, query, patienceMs)
  }
  const tx: Writer = {
    ...readerOf(answer),
    run: async (query) => (await answer(query)).rowCount ?? 0,
    write(query) {
      requireOpen()
      unwatched.add(send(client, query, patienceMs))
    },
    insert: async <Id extends number>(query: Sql) => (await answer(sql`${query} returning id`)).rows[0].id as Id,
    lock: async (query) => {
      await answer(sql`${query} ${FOR_UPDATE}`)
    },
    signal: (topic) => topics.add(topic),
  }
  return { tx, end: () => (open = false), unwatched }
}

// Statements whose answers nobody waits for before the end, and which of them failed first.
function createUnwatched() {
  const statements: Promise<unknown>[] = []
  let first: unknown
  return {
    add(statement: Promise<unknown>) {
      statements.push(statement.catch((error) => (first ??= error)))
    },
    async failure(): Promise<unknown> {
      await Promise.all(statements)
      return first
    },
  }
}

// pg reads `query_timeout` of a single query too, though its types do not say so.
type Statement = pg.QueryConfig & { query_timeout?: number }

async function send(client: pg.Pool | pg.PoolClient, query: Sql, patienceMs?: number): Promise<pg.QueryResult> {
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

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

// serialization_failure, deadlock_detected
const isConflict = (error: unknown) => ['40001', '40P01'].includes(codeOf(error))

// Classes of SQLSTATE that speak of the server rather than of our statement: connection, resources, operator, system;
// and read-only, as a standby is.
const SERVER_TROUBLE = /^(08|25006|53|57|58)/
const NETWORK_TROUBLE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/
// What pg says, without a code, of a connection that is gone, silent or not to be had.
const LOST = /connection (terminated|timeout|error)|timeout exceeded|read timeout|not queryable/i

function mapFailure(error: unknown): unknown {
  const code = codeOf(error)
  const lost = error instanceof Error && LOST.test(error.message)
  if (!lost && !SERVER_TROUBLE.test(code) && !NETWORK_TROUBLE.test(code)) return error
  return new Problem('service.unavailable', 'The database cannot be reached right now; try again shortly.', {}, error)
}
