// PostgreSQL, for more than one process. A pool of connections; named statements, sent without waiting for the answers
// to those before; a change that loses a race for a lock is run again.
import type { Socket } from 'node:net'
import pg from 'pg'
import { StartError } from '../../../domain/start-error.ts'
import type { Database, Writer } from '../database.ts'
import { nestedRead, nestedTransaction } from '../transaction-rules.ts'
import { createTroubleRecord, type ReportTrouble } from '../trouble.ts'
import { CONNECTION_MS, connectionOptions } from './connection.ts'
import { isConflict, isUnavailable, mapFailure, troubleOf } from './failures.ts'
import { findCommitStatus, mayHaveBeenStored } from './lost-commit.ts'
import { openPostgresSignals } from './signals.ts'
import { createWorkMarker } from './work-marker.ts'
import { openWriter, readerOf, send, type Unwatched } from './writer.ts'

const POOL_SIZE = 10
const RETRIES = 5
// Shorter than the patience of the connection, so that a slow server says so itself.
const STATEMENT_MS = CONNECTION_MS - 500

const UNHURRIED_MS = 24 * 3600 * 1000

type Work<Result> = (tx: Writer) => Promise<Result>
type How = { keep: boolean; unhurried?: boolean }

export async function openPostgres(url: string, report?: ReportTrouble): Promise<Database> {
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
  const troubles = createTroubleRecord(report)
  const begun = new Set<Promise<unknown>>()
  const marker = createWorkMarker()

  async function attempt<Result>(work: Work<Result>, how: How): Promise<Result> {
    const { keep, unhurried } = how
    const client = await pool.connect()
    const topics = new Set<string>()
    const patienceMs = unhurried ? UNHURRIED_MS : undefined
    const { tx, end, unwatched, hasStored } = openWriter({ client, topics, marker, patienceMs })
    let broken: Error | undefined
    try {
      const xid = beginTransaction(client, unwatched, how)
      const result = await marker.start(() => work(tx))
      end()
      if (!keep) await rollBack(client, unwatched)
      else broken = await commit(client, unwatched, xid)
      if (keep) signals.publish(topics)
      if (keep && hasStored()) troubles.stored()
      return result
    } catch (error) {
      // First of all: what else the work is about to write would be written after the rollback, for good.
      end()
      // After one statement has failed, those behind it only say so.
      const cause = isUnavailable(error) ? error : ((await unwatched.failure()) ?? error)
      broken = await undo(client, mapFailure(cause))
      throw cause
    } finally {
      client.release(broken)
    }
  }

  // Returns the error that makes the connection unusable, if it was lost and the change is stored all the same.
  async function commit(client: pg.PoolClient, unwatched: Unwatched, xid: () => Promise<string | undefined>) {
    try {
      const { command } = await client.query(COMMIT)
      const failure = await unwatched.failure()
      if (failure) throw failure
      // A statement failed and the work went on regardless; PostgreSQL then takes a commit as a rollback, without an error.
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

  async function insist<Result>(work: Work<Result>, how: How): Promise<Result> {
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
    const running = insist(work, how).finally(() => begun.delete(running))
    begun.add(running)
    return running
  }

  return {
    read: readerOf((query) => (marker.isInside() ? Promise.reject(nestedRead()) : send(pool, query))),
    transact: (work, pace) => begin(work, { keep: true, unhurried: pace === 'unhurried' }),
    rehearse: (work) => begin(work, { keep: false }),
    trouble: troubles.current,
    signals,
    async close() {
      await Promise.allSettled(begun)
      await signals.close()
      await pool.end()
    },
  }
}

// Returns the error that makes this connection unusable, if any. One that is lost is not asked: it would not answer.
async function undo(client: pg.PoolClient, failure: unknown): Promise<Error | undefined> {
  if (isUnavailable(failure)) return failure
  return client.query(ROLLBACK).then(
    () => undefined,
    (error: Error) => error,
  )
}

// Named, they are gathered with the statements around them.
const COMMIT = { name: 'commit', text: 'commit' }
const ROLLBACK = { name: 'rollback', text: 'rollback' }

// Both in one message, which costs little more than `begin` alone.
const BEGIN_WITH_ID = 'begin; select pg_current_xact_id() as xid'

// Not waited for: it is sent with the first statements of the work. Returns how to get the id of the transaction, which
// one that is rolled back in any case does without.
function beginTransaction(client: pg.PoolClient, unwatched: Unwatched, { keep, unhurried }: How) {
  const text = keep ? BEGIN_WITH_ID : 'begin'
  const patience = unhurried ? `; set local statement_timeout = ${UNHURRIED_MS}` : ''
  const begun = gathered(client, () => client.query(text + patience))
  unwatched.add(begun)
  return () =>
    begun.then(
      (answers) => (answers as unknown as pg.QueryResult[])[1]?.rows[0].xid as string,
      () => undefined,
    )
}

// A statement without a name is sent at once unless its connection gathers.
function gathered<Answer>(client: pg.PoolClient, send: () => Answer): Answer {
  const { stream } = (client as pg.PoolClient & { connection: { stream: Socket } }).connection
  stream.cork()
  const answer = send()
  stream.uncork()
  return answer
}

async function rollBack(client: pg.PoolClient, unwatched: Unwatched): Promise<void> {
  await client.query(ROLLBACK)
  const failure = await unwatched.failure()
  if (failure) throw failure
}

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
