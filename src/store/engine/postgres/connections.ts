// How we connect to PostgreSQL, and the connections that transactions and reads share. When one of them shows that the
// network dropped it, or that its server became read-only, those that were opened before are replaced as well, when they are
// next used: each would cost a request its timeout, or show the data of a server that a standby has replaced.
import pg from 'pg'
import type { DatabaseLoad } from '../database.ts'
import { troubleOf } from './failures.ts'
import { isSilence } from './pipeline.ts'

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
  // Only where the server has `off`, which would lose answered changes in a crash.
  synchronous_commit: 'on',
}

// A connection that was just opened answers at once.
const SET_UP_MS = 2500

// By a statement, because poolers refuse settings in the first message of a connection.
const SET_SETTINGS: pg.QueryConfig & { query_timeout: number } = {
  text: `select set_config(name, wanted.value, false)
    from json_each_text('${JSON.stringify(SESSION_SETTINGS)}') as wanted join pg_settings on name = wanted.key
    where name <> 'synchronous_commit' or setting = 'off'`,
  // pg reads it of a single query too, though its types do not say so.
  query_timeout: SET_UP_MS,
}

async function setUpSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET_SETTINGS)
}

// Shorter than the timeout of the connection, so that a slow statement ends with an error of the server's own.
export const STATEMENT_MS = CONNECTION_MS - 500
// While a server stays read-only, its connections are replaced no more often than this.
const BETWEEN_REPLACEMENTS_MS = 1000

export type Connections = {
  readonly pool: pg.Pool
  take(): Promise<pg.PoolClient>
  // `failure`: of the transaction or read for which it was taken. `isUsable`: whether the connection can be used again.
  giveBack(client: pg.PoolClient, failure?: unknown, isUsable?: boolean): void
  load(): DatabaseLoad
}

export function openConnections(url: string, most: number): Connections {
  const generations = new WeakMap<pg.ClientBase, number>()
  let generation = 0
  let mayReplace = true
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: most,
    statement_timeout: STATEMENT_MS,
    // Turns off the timeout of pg: pipelines time their own answers.
    query_timeout: undefined,
    onConnect: setUpSession,
  })
  // The pool replaces a connection that breaks. Without a listener, the error event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    generations.set(client, generation)
    client.on('error', () => {})
  })

  function replaceAll() {
    if (!mayReplace) return
    generation += 1
    mayReplace = false
    setTimeout(() => (mayReplace = true), BETWEEN_REPLACEMENTS_MS).unref()
  }

  return {
    pool,
    async take() {
      for (;;) {
        const client = await pool.connect()
        if (generations.get(client) === generation) return client
        client.release(true)
      }
    },
    giveBack(client, failure, isUsable = true) {
      const isSuspect = isSilence(failure) || troubleOf(failure) === 'read-only'
      if (isSuspect) replaceAll()
      client.release(isSuspect || !isUsable)
    },
    load: () => ({
      waiting: pool.waitingCount,
      connections: { used: pool.totalCount - pool.idleCount, idle: pool.idleCount },
    }),
  }
}
