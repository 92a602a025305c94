// PostgreSQL, for more than one process: a pool of connections, transactions as pipelines of named statements, and
// retries of those that end in a deadlock or a serialization failure.
import type { Database, DatabaseObserver, Group, Reader, Work } from '../database.ts'
import { readerOf } from '../reader.ts'
import { fragment, type Sql, sql } from '../sql.ts'
import { createTroubleRecord, type ReportTrouble } from '../trouble.ts'
import { CONNECTION_MS, openConnections } from './connections.ts'
import { isConflict, isUnavailable, mapFailure, troubleOf } from './failures.ts'
import { createGroups } from './groups.ts'
import { findCommitStatus, mayHaveBeenStored, readTransactionId, type TransactionId } from './lost-commit.ts'
import { isSilence, openPipeline, type Pipeline } from './pipeline.ts'
import { createReads } from './reads.ts'
import { checkServer, refuseTransactionPooler } from './server-check.ts'
import { openPostgresSignals } from './signals.ts'
import { type Ask, createToStatement, openTransaction, type Run, runAlone } from './writer.ts'

const RETRIES = 5
// A change of the schema may take its time.
const NO_TIMEOUT_MS = 24 * 3600 * 1000

// `keep` is false for a rehearsal, which is rolled back.
// `impatient`: fails if it waits for a lock for more than a moment, or loses a conflict.
type How = { keep: boolean; noTimeout?: true; impatient?: boolean; group?: Group }

export type PostgresOptions = {
  report?: ReportTrouble
  observer?: DatabaseObserver
  // Bounds how long changes run in one turn of the event loop.
  monotonicMs?: () => number
  // At most; one more listens.
  connections?: number
}

export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { report, observer, monotonicMs = () => 0, connections = 10 } = options
  const { pool, take, giveBack, load } = openConnections(url, connections)
  await checkServer(pool, url)
    .then(() => refuseTransactionPooler(pool, url))
    .catch(async (error) => {
      await pool.end()
      throw error
    })
  const signals = openPostgresSignals(url)
  const troubles = createTroubleRecord(report)
  const running = new Set<Promise<unknown>>()
  const toStatement = createToStatement()
  const reads = createReads({ take, giveBack }, toStatement)

  async function attempt<Result>(run: Run<Result>, { keep, noTimeout, impatient }: How): Promise<Result> {
    const client = await take()
    const topics = new Set<string>()
    const pipeline = openPipeline(client, noTimeout ? NO_TIMEOUT_MS : CONNECTION_MS)
    const ask: Ask = (query) => pipeline.ask(toStatement(query))
    const transaction = openTransaction(ask, topics)
    let broken: Error | undefined
    let failure: unknown
    try {
      if (noTimeout) void ask(NO_TIMEOUT)
      if (impatient) void ask(SHORT_LOCK_TIMEOUT)
      const id = keep ? readTransactionId(pipeline) : Promise.resolve(undefined)
      const result = await run(transaction)
      transaction.takeLastSteps()
      transaction.end()
      if (keep) broken = await commit(pipeline, id)
      else await pipeline.rollBack()
      if (keep) signals.publish(topics)
      if (keep && transaction.hasChanged()) troubles.stored()
      return result
    } catch (error) {
      // Before the rollback: a statement that the work sends after it would be committed by itself.
      transaction.end()
      broken = await rollBack(pipeline)
      failure = error
      throw error
    } finally {
      giveBack(client, failure, broken === undefined)
    }
  }

  // The session that listens is open from the start on, so it is older than most transactions.
  const askListener: Ask = (query) => signals.ask(toStatement(query))

  // Returns the error that makes the connection unusable if the connection was lost after the change was stored.
  async function commit(pipeline: Pipeline, id: Promise<TransactionId | undefined>): Promise<Error | undefined> {
    try {
      await pipeline.commit()
      return undefined
    } catch (error) {
      if (!pipeline.mayBeCommitted()) throw error
      const lost = mapFailure(error) as Error
      const status = await findCommitStatus([askListener, reads.alone], await id, isSilence(error))
      if (status === 'committed') return lost
      throw status === 'aborted' ? lost : mayHaveBeenStored(error)
    }
  }

  async function retryOnConflict<Result>(run: Run<Result>, how: How): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(run, how)
      } catch (error) {
        if (how.impatient && troubleOf(error) === 'locked') throw error
        if (tries < RETRIES && isConflict(error)) continue
        const failure = mapFailure(error)
        if (isUnavailable(failure)) troubles.failed(troubleOf(failure.cause) ?? 'unreachable')
        throw failure
      }
    }
  }

  const groups = createGroups({
    transact: (run, how) => retryOnConflict(run, { keep: true, ...how }),
    monotonicMs,
  })

  const start = <Result>(work: Work<Result>, { group, ...how }: How): Promise<Result> =>
    group === undefined ? retryOnConflict(runAlone(work), how) : groups.enqueue(group, work)

  function begin<Result>(work: Work<Result>, how: How): Promise<Result> {
    const arrivedAtMs = observer?.monotonicMs() ?? 0
    const transaction = start(work, how).finally(() => {
      running.delete(transaction)
      observer?.transactionEnded(observer.monotonicMs() - arrivedAtMs)
    })
    running.add(transaction)
    return transaction
  }

  const timed = (read: Ask): Reader['all'] =>
    async function readCommitted<Row>(query: Sql) {
      const startedMs = observer?.monotonicMs() ?? 0
      try {
        return (await read(query)).rows as Row[]
      } catch (error) {
        throw mapFailure(error)
      } finally {
        observer?.readEnded(observer.monotonicMs() - startedMs)
      }
    }

  return {
    read: readerOf(timed(reads.alone), timed(reads.together)),
    transact: (work, options) => begin(work, { keep: true, ...options }),
    // The transaction that would use it tells a failure better.
    reserveId: (sequence) => reads.reserveId(sequence).catch(() => undefined),
    rehearse: (work) => begin(work, { keep: false }),
    trouble: troubles.current,
    load,
    signals,
    async close() {
      await Promise.allSettled(running)
      await signals.close()
      await pool.end()
    },
  }
}

// Others wait for a transaction that waits for a lock (groups.ts).
const LOCK_TIMEOUT_MS = 50
const SHORT_LOCK_TIMEOUT = sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`

// By name, because older servers do not know both.
const IS_TIMEOUT = fragment(`name in ('statement_timeout', 'transaction_timeout')`)
const NO_TIMEOUT = sql`select set_config(name, '0', true) from pg_settings where ${IS_TIMEOUT}`

// Returns the error that makes this connection unusable, if any.
const rollBack = (pipeline: Pipeline): Promise<Error | undefined> =>
  pipeline.rollBack().then(
    () => undefined,
    (error: Error) => error,
  )
