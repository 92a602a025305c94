// The connections that transactions and reads share. When one of them shows that the network dropped it, or that its server
// became read-only, those that were opened before are replaced as well, when they are next used: each would cost a request
// its timeout, or show the data of a server that a standby has replaced.
import pg from 'pg'
import type { DatabaseLoad } from '../observer.ts'
import { CONNECTION_MS, connectionOptions, setUpSession } from './connection.ts'
import { troubleOf } from './failures.ts'
import { isSilence } from './pipeline.ts'

const POOL_SIZE = 10
// Shorter than the timeout of the connection, so that a slow statement ends with an error of the server's own.
const STATEMENT_MS = CONNECTION_MS - 500
// While a server stays read-only, its connections are replaced no more often than this.
const BETWEEN_REPLACEMENTS_MS = 1000

export type Connections = {
  readonly pool: pg.Pool
  take(): Promise<pg.PoolClient>
  // `failure`: of the transaction or read for which it was taken. `isUsable`: whether the connection can be used again.
  giveBack(client: pg.PoolClient, failure?: unknown, isUsable?: boolean): void
  load(): DatabaseLoad['connections'] & { waiting: number }
}

export function openConnections(url: string): Connections {
  const generations = new WeakMap<pg.ClientBase, number>()
  let generation = 0
  let mayReplace = true
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: POOL_SIZE,
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
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
    }),
  }
}
