// Whether a PostgreSQL can be reached, is new enough, and keeps sessions. Failures are told without user and password.
import pg from 'pg'
import { StartError } from '../../../domain/errors.ts'
import { CONNECTION_MS, connectionOptions, STATEMENT_MS } from './connections.ts'

const OLDEST_VERSION = 150_000
// pg reads `query_timeout` of a single query too, though its types do not say so.
const READ_VERSION: pg.QueryConfig & { query_timeout: number } = {
  text: 'show server_version_num',
  query_timeout: CONNECTION_MS,
}

export async function checkServer(server: pg.Pool | pg.Client, url: string): Promise<void> {
  const place = placeOf(url)
  const answer = await server.query(READ_VERSION).catch((error: Error) => {
    throw unreachable(url, error)
  })
  if (Number(answer.rows[0].server_version_num) < OLDEST_VERSION) {
    throw new StartError(`PostgreSQL at ${place} is older than version 15`)
  }
}

export const unreachable = (url: string, error: Error) =>
  error.message.includes(POOLER_REFUSAL)
    ? new StartError(
        `PostgreSQL at ${placeOf(url)} is behind a connection pooler that refuses statement_timeout; connect to the server itself, or use session mode with ignore_startup_parameters = statement_timeout`,
      )
    : new StartError(
        `PostgreSQL at ${placeOf(url)} cannot be reached (${reasonOf(error)}); check HELIOGRAPH_DATABASE_URL`,
      )

// PgBouncer answers this in every mode.
const POOLER_REFUSAL = 'unsupported startup parameter: statement_timeout'

// The address of the server, without user and password.
export const placeOf = (url: string) => new URL(url).host || 'its local socket'
const reasonOf = (error: Error) => ('code' in error && !error.message ? String(error.code) : error.message)

// Refuses a connection pooler that gives each transaction another session of the server, as PgBouncer does in transaction
// mode: LISTEN and prepared statements belong to a session and would be lost.
//
// For a program that checks the configuration and needs no pool otherwise.
export async function checkPooler(url: string): Promise<void> {
  // With the parameter of the connections of a server: poolers refuse it.
  const pool = new pg.Pool({ ...connectionOptions(url), max: 2, statement_timeout: STATEMENT_MS })
  pool.on('error', () => {})
  try {
    await refuseTransactionPooler(pool, url)
  } finally {
    await pool.end()
  }
}

export async function refuseTransactionPooler(pool: pg.Pool, url: string): Promise<void> {
  const client = await pool.connect().catch((error: Error) => {
    throw unreachable(url, error)
  })
  try {
    const session = await readSession(client)
    // Without a pooler, the server has told the client the session's own number when it connected.
    const isDirect = session === (client as pg.PoolClient & { processID: number }).processID
    if (!isDirect && (await readSessionBesides(pool, client)) !== session) throw behindPooler(url)
  } finally {
    client.release()
  }
}

// The session that the client gets while another client occupies the one that a pooler has just taken back from it.
async function readSessionBesides(pool: pg.Pool, client: pg.PoolClient): Promise<number> {
  const other = await pool.connect()
  try {
    await other.query('begin')
    const session = await readSession(client)
    await other.query('rollback')
    return session
  } finally {
    other.release()
  }
}

async function readSession(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0].pid
}

const behindPooler = (url: string) =>
  new StartError(
    `PostgreSQL at ${placeOf(url)} is behind a connection pooler in transaction mode; connect to the server itself, or use session mode`,
  )
