// Whether a PostgreSQL can be reached and is new enough. Failures are told without user and password.
import type pg from 'pg'
import { StartError } from '../../../domain/errors.ts'
import { CONNECTION_MS } from './connection.ts'

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
