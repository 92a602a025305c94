// How we connect to PostgreSQL, for the pool and for the listener alike.
import pg from 'pg'

// Requests are answered within five seconds even when the network drops every packet.
export const CONNECTION_MS = 4500

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

// A node that loses its network, or is paused, inside a transaction holds its row locks until the server ends the session.
// By default that takes hours; here it is less than the lease of a job, so that the rows are free when another node takes over.
const SESSION_SETTINGS = {
  tcp_keepalives_idle: '4',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  // Since PostgreSQL 17: for a process that is paused, whose network still answers. The timeout of idle transactions never
  // ends a pipeline, which is not idle for the server until its Sync.
  transaction_timeout: '10s',
}

// A connection that was just opened answers at once.
const SET_UP_MS = 2500

// By a statement, because poolers refuse settings in the first message of a connection.
const SET_SETTINGS: pg.QueryConfig & { query_timeout: number } = {
  text: `select set_config(name, wanted.value, false)
    from json_each_text('${JSON.stringify(SESSION_SETTINGS)}') as wanted join pg_settings on name = wanted.key`,
  // pg reads it of a single query too, though its types do not say so.
  query_timeout: SET_UP_MS,
}

export async function setUpSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET_SETTINGS)
}
