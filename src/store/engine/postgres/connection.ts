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
