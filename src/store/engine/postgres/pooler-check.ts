// Refuses a connection pooler that gives each transaction another session of the server, as PgBouncer does in transaction
// mode: LISTEN and prepared statements belong to a session and would be lost.
import type pg from 'pg'
import { StartError } from '../../../domain/start-error.ts'
import { placeOf } from './server-check.ts'

export async function refuseTransactionPooler(pool: pg.Pool, url: string): Promise<void> {
  const [first, second] = [await pool.connect(), await pool.connect()]
  try {
    const session = await readSession(first)
    // Without a pooler, the server has told the client the session's own number when it connected.
    if (session === (first as pg.PoolClient & { processID: number }).processID) return
    // Occupies the session that a pooler has just taken back from the first client.
    await second.query('begin')
    const sessionNow = await readSession(first)
    await second.query('rollback')
    if (session !== sessionNow) throw behindPooler(url)
  } finally {
    first.release()
    second.release()
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
