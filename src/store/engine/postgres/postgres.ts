// PostgreSQL, for more than one process: a pool of connections, transactions as pipelines of named statements, and
// retries of those that end in a deadlock or a serialization failure.
import pg from 'pg'
import type { Database, Group } from '../database.ts'
import type { DatabaseObserver } from '../observer.ts'
import { sql } from '../sql.ts'
import { nestedRead, nestedTransaction } from '../transaction-rules.ts'
import { createTroubleRecord, type ReportTrouble } from '../trouble.ts'
import { CONNECTION_MS, connectionOptions, limitIdleTransactions } from './connection.ts'
import { isConflict, isUnavailable, mapFailure, troubleOf } from './failures.ts'
import { createGroups, type Work } from './groups.ts'
import { findCommitStatus, mayHaveBeenStored } from './lost-commit.ts'
import { type Answer, openPipeline, type Pipeline, type Statement } from './pipeline.ts'
import { refuseTransactionPooler } from './pooler-check.ts'
import { createReads } from './reads.ts'
import { checkServer } from './server-check.ts'
import { openPostgresSignals } from './signals.ts'
import { createWorkMarker } from './work-marker.ts'
import { type Ask, createToStatement, openWriter, readerOf } from './writer.ts'

const POOL_SIZE = 10
const RETRIES = 5
// Shorter than the timeout of the connection, so that a slow statement ends with an error of the server's own.
const STATEMENT_MS = CONNECTION_MS - 500
// A change of the schema may take its time.
const NO_TIMEOUT_MS = 24 * 3600 * 1000

// `keep` is false for a rehearsal, which is rolled back.
type How = { keep: boolean; noTimeout?: true; group?: Group }

export type PostgresOptions = { report?: ReportTrouble; observer?: DatabaseObserver }

export async function openPostgres(url: string, { report, observer }: PostgresOptions = {}): Promise<Database> {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: POOL_SIZE,
    statement_timeout: STATEMENT_MS,
    // Turns off the timeout of pg: pipelines time their own answers.
    query_timeout: undefined,
    onConnect: limitIdleTransactions,
  })
  // The pool replaces a connection that breaks. Without a listener, the error event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await checkServer(pool, url)
    .then(() => refuseTransactionPooler(pool, url))
    .catch(async (error) => {
      await pool.end()
      throw error
    })
  const signals = openPostgresSignals(url)
  const troubles = createTroubleRecord(report)
  const running = new Set<Promise<unknown>>()
  const marker = createWorkMarker()
  const toStatement = createToStatement()
  const reads = createReads(pool, toStatement)

  async function attempt<Result>(work: Work<Result>, { keep, noTimeout }: How): Promise<Result> {
    const client = await pool.connect()
    const topics = new Set<string>()
    const pipeline = openPipeline(client, noTimeout ? NO_TIMEOUT_MS : CONNECTION_MS)
    const { tx, end, hasChanged } = openWriter({ ask: (query) => pipeline.ask(toStatement(query)), topics, marker })
    let broken: Error | undefined
    try {
      if (noTimeout) tx.queue(sql`select set_config('statement_timeout', ${String(NO_TIMEOUT_MS)}, true)`)
      const xid = keep ? pipeline.ask(READ_XID) : undefined
      const result = await marker.start(() => work(tx))
      end()
      if (keep) broken = await commit(pipeline, xid)
      else await pipeline.rollBack()
      if (keep) signals.publish(topics)
      if (keep && hasChanged()) troubles.stored()
      return result
    } catch (error) {
      // Before the rollback: a statement that the work sends after it would be committed by itself.
      end()
      broken = await rollBack(pipeline)
      throw error
    } finally {
      client.release(broken)
    }
  }

  // Returns the error that makes the connection unusable if the connection was lost after the change was stored.
  async function commit(pipeline: Pipeline, xid: Promise<Answer> | undefined): Promise<Error | undefined> {
    try {
      await pipeline.commit()
      return undefined
    } catch (error) {
      const lost = mapFailure(error)
      if (!isUnavailable(lost)) throw error
      const status = await findCommitStatus(reads.alone, await xidOf(xid))
      if (status === 'committed') return lost
      throw status === 'aborted' ? lost : mayHaveBeenStored(error)
    }
  }

  async function retryOnConflict<Result>(work: Work<Result>, how: How): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work, how)
      } catch (error) {
        if (tries < RETRIES && isConflict(error)) continue
        const failure = mapFailure(error)
        if (isUnavailable(failure)) troubles.failed(troubleOf(failure.cause) ?? 'unreachable')
        throw failure
      }
    }
  }

  const groups = createGroups((work) => retryOnConflict(work, { keep: true }))

  const start = <Result>(work: Work<Result>, { group, ...how }: How): Promise<Result> =>
    group === undefined ? retryOnConflict(work, how) : groups.enqueue(group, work)

  function begin<Result>(work: Work<Result>, how: How): Promise<Result> {
    if (marker.isInside()) return Promise.reject(nestedTransaction())
    const arrivedAtMs = observer?.monotonicMs() ?? 0
    const transaction = start(work, how).finally(() => {
      running.delete(transaction)
      observer?.transactionEnded(observer.monotonicMs() - arrivedAtMs)
    })
    running.add(transaction)
    return transaction
  }

  const timed = (read: Ask): Ask =>
    async function readCommitted(query) {
      if (marker.isInside()) throw nestedRead()
      const startedMs = observer?.monotonicMs() ?? 0
      try {
        return await read(query)
      } catch (error) {
        throw mapFailure(error)
      } finally {
        observer?.readEnded(observer.monotonicMs() - startedMs)
      }
    }

  return {
    read: readerOf(timed(reads.alone), timed(reads.together)),
    transact: (work, options) => begin(work, { keep: true, ...options }),
    rehearse: (work) => begin(work, { keep: false }),
    trouble: troubles.current,
    load: () => ({
      waiting: pool.waitingCount,
      connections: { used: pool.totalCount - pool.idleCount, idle: pool.idleCount },
    }),
    signals,
    async close() {
      await Promise.allSettled(running)
      await signals.close()
      await pool.end()
    },
  }
}

// Returns the error that makes this connection unusable, if any.
const rollBack = (pipeline: Pipeline): Promise<Error | undefined> =>
  pipeline.rollBack().then(
    () => undefined,
    (error: Error) => error,
  )

// Tells after a lost connection whether we committed.
const READ_XID: Statement = { name: 'xid', text: 'select pg_current_xact_id() as xid', values: [] }

const xidOf = (answer: Promise<Answer> | undefined): Promise<string | undefined> =>
  Promise.resolve(answer).then(
    (read) => read?.rows[0]?.xid as string | undefined,
    () => undefined,
  )
