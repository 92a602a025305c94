// How we connect to PostgreSQL, for the pool and for the listener alike.
import pg from 'pg'

// Requests are answered within five seconds even when the network drops every packet.
export const CONNECTION_MS = 4500

// Shorter than the lease of a job: the server ends the transaction of a process that is paused in the middle, so that its row
// locks are free when another node takes over.
const IDLE_IN_TRANSACTION_MS = 10_000

// A statement and not a startup parameter, which a connection pooler would refuse.
export async function limitIdleTransactions(client: pg.ClientBase): Promise<void> {
  const text = `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`
  await client.query({ text, query_timeout: CONNECTION_MS } as pg.QueryConfig)
}

export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'heliograph',
    connectionTimeoutMillis: CONNECTION_MS,
    query_timeout: CONNECTION_MS,
    // Counts and instants are 64-bit in the database and stay far below 2^53.
    types: { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) },
  }
}
