// PostgreSQL, for more than one process: a pool of connections, pipelined named statements, and retries of transactions
// that end in a deadlock or a serialization failure.
import type { Socket } from 'node:net'
import pg from 'pg'
import type { Database, Writer } from '../database.ts'
import type { DatabaseObserver } from '../observer.ts'
import type { Sql } from '../sql.ts'
import { nestedRead, nestedTransaction } from '../transaction-rules.ts'
import { createTroubleRecord, type ReportTrouble } from '../trouble.ts'
import { CONNECTION_MS, connectionOptions } from './connection.ts'
import { isConflict, isUnavailable, mapFailure, troubleOf } from './failures.ts'
import { findCommitStatus, mayHaveBeenStored } from './lost-commit.ts'
import { checkServer } from './server-check.ts'
import { openPostgresSignals } from './signals.ts'
import { createWorkMarker } from './work-marker.ts'
import { createSend, openWriter, type PendingStatements, readerOf } from './writer.ts'

const POOL_SIZE = 10
const RETRIES = 5
// Shorter than the timeout of the connection, so that a slow statement ends with an error of the server's own.
const STATEMENT_MS = CONNECTION_MS - 500
// A change of the schema may take its time.
const NO_TIMEOUT_MS = 24 * 3600 * 1000

type Work<Result> = (tx: Writer) => Promise<Result>
// `keep` is false for a rehearsal, which is rolled back.
type How = { keep: boolean; noTimeout?: boolean }

export type PostgresOptions = { report?: ReportTrouble; observer?: DatabaseObserver }

export async function openPostgres(url: string, { report, observer }: PostgresOptions = {}): Promise<Database> {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: POOL_SIZE,
    statement_timeout: STATEMENT_MS,
    pipeline: true,
  })
  // The pool replaces a connection that breaks. Without a listener, the error event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await checkServer(pool, url).catch(async (error) => {
    await pool.end()
    throw error
  })
  const signals = openPostgresSignals(url)
  const troubles = createTroubleRecord(report)
  const running = new Set<Promise<unknown>>()
  const marker = createWorkMarker()
  const send = createSend()

  async function attempt<Result>(work: Work<Result>, how: How): Promise<Result> {
    const { keep, noTimeout } = how
    const client = await pool.connect()
    const topics = new Set<string>()
    const timeoutMs = noTimeout ? NO_TIMEOUT_MS : undefined
    const { tx, end, pendingStatements, hasChanged } = openWriter({ client, send, topics, marker, timeoutMs })
    let broken: Error | undefined
    try {
      const xid = beginTransaction(client, pendingStatements, how)
      const result = await marker.start(() => work(tx))
      end()
      if (!keep) await rollBackRehearsal(client, pendingStatements)
      else broken = await commit(client, pendingStatements, xid)
      if (keep) signals.publish(topics)
      if (keep && hasChanged()) troubles.stored()
      return result
    } catch (error) {
      // Before the rollback: a statement that the work sends after it would be committed by itself.
      end()
      const cause = isUnavailable(error) ? error : ((await pendingStatements.firstFailure()) ?? error)
      broken = await rollback(client, mapFailure(cause))
      throw cause
    } finally {
      client.release(broken)
    }
  }

  // Returns the error that makes the connection unusable if the connection was lost after the change was stored.
  async function commit(
    client: pg.PoolClient,
    pendingStatements: PendingStatements,
    xid: () => Promise<string | undefined>,
  ) {
    try {
      const { command } = await client.query(COMMIT)
      const failure = await pendingStatements.firstFailure()
      if (failure) throw failure
      // After a failed statement that the work has caught, PostgreSQL answers a commit with ROLLBACK and no error.
      if (command !== 'COMMIT') throw new Error('The work went on after a statement that failed.')
      return undefined
    } catch (error) {
      const lost = mapFailure(error)
      if (!isUnavailable(lost)) throw error
      const status = await findCommitStatus(pool, await xid())
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

  function begin<Result>(work: Work<Result>, how: How): Promise<Result> {
    if (marker.isInside()) return Promise.reject(nestedTransaction())
    const arrivedAtMs = observer?.monotonicMs() ?? 0
    const transaction = retryOnConflict(work, how).finally(() => {
      running.delete(transaction)
      observer?.transactionEnded(observer.monotonicMs() - arrivedAtMs)
    })
    running.add(transaction)
    return transaction
  }

  async function read(query: Sql): Promise<pg.QueryResult> {
    if (marker.isInside()) throw nestedRead()
    if (!observer) return send(pool, query)
    const startedMs = observer.monotonicMs()
    try {
      return await send(pool, query)
    } finally {
      observer.readEnded(observer.monotonicMs() - startedMs)
    }
  }

  return {
    read: readerOf(read),
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

// Returns the error that makes this connection unusable, if any. A lost connection is not asked to roll back.
async function rollback(client: pg.PoolClient, failure: unknown): Promise<Error | undefined> {
  if (isUnavailable(failure)) return failure
  return client.query(ROLLBACK).then(
    () => undefined,
    (error: Error) => error,
  )
}

// With names, pg sends them in the same write as the statements around them (gathering-socket.ts).
const COMMIT = { name: 'commit', text: 'commit' }
const ROLLBACK = { name: 'rollback', text: 'rollback' }

// One message, which costs little more than `begin` alone. The id tells after a lost connection whether we committed.
const BEGIN_WITH_ID = 'begin; select pg_current_xact_id() as xid'

// Does not wait for the answer, so that `begin` travels with the first statements of the work. Returns a function that
// resolves to the id of the transaction; a rehearsal has none.
function beginTransaction(client: pg.PoolClient, pendingStatements: PendingStatements, { keep, noTimeout }: How) {
  const text = keep ? BEGIN_WITH_ID : 'begin'
  const timeout = noTimeout ? `; set local statement_timeout = ${NO_TIMEOUT_MS}` : ''
  const begun = gathered(client, () => client.query(text + timeout))
  pendingStatements.add(begun)
  return () =>
    begun.then(
      (answers) => (answers as unknown as pg.QueryResult[])[1]?.rows[0].xid as string,
      () => undefined,
    )
}

// pg corks the socket only for statements with a name, so this one needs it done by hand.
function gathered<Answer>(client: pg.PoolClient, send: () => Answer): Answer {
  const { stream } = (client as pg.PoolClient & { connection: { stream: Socket } }).connection
  stream.cork()
  const answer = send()
  stream.uncork()
  return answer
}

async function rollBackRehearsal(client: pg.PoolClient, pendingStatements: PendingStatements): Promise<void> {
  await client.query(ROLLBACK)
  const failure = await pendingStatements.firstFailure()
  if (failure) throw failure
}
