// Refuses a connection pooler that gives each transaction another session of the server, as PgBouncer does in transaction
// mode: LISTEN and prepared statements belong to a session and would be lost.
import pg from 'pg'
import { StartError } from '../../../domain/errors.ts'
import { connectionOptions } from './connection.ts'
import { placeOf } from './server-check.ts'

// For a program that checks the configuration and needs no pool otherwise.
export async function checkPooler(url: string): Promise<void> {
  const pool = new pg.Pool({ ...connectionOptions(url), max: 2 })
  pool.on('error', () => {})
  try {
    await refuseTransactionPooler(pool, url)
  } finally {
    await pool.end()
  }
}

export async function refuseTransactionPooler(pool: pg.Pool, url: string): Promise<void> {
  const client = await pool.connect()
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
