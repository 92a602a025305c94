// After-commit hints between nodes by LISTEN/NOTIFY, outside of the transaction (NOTIFY inside one takes a lock that
// every commit of the server would queue for). Topics published while a message is under way are batched into the next.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createSignals, type Signals } from '../signals.ts'
import { connectionOptions } from './connections.ts'
import type { Answer, Statement } from './pipeline.ts'

const CHANNEL = 'heliograph'
const RECONNECT_MS = 1000
// PostgreSQL refuses a payload of 8000 bytes.
const TOPICS_PER_NOTIFY = 100
const DISCONNECT_MS = 1000
// Each message costs the server a transaction and wakes every node, so those of a busy node are batched.
const BETWEEN_NOTIFIES_MS = 10

// pg has it, though its types do not say so.
const processIdOf = (client: pg.Client): number => (client as pg.Client & { processID: number }).processID

export type PostgresSignals = Signals & {
  // Runs a statement on the session that listens.
  ask(statement: Statement): Promise<Answer>
  close(): Promise<void>
}

export function openPostgresSignals(url: string): PostgresSignals {
  const local = createSignals()
  const outgoing = new Set<string>()
  let client: pg.Client | undefined
  let sending = false
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let connecting = connect()

  async function connect() {
    const next = new pg.Client({ ...connectionOptions(url), keepAlive: true })
    next.on('notification', ({ processId, payload = '' }) => {
      // This node has already published the signals that it sent itself.
      if (processId !== processIdOf(next)) local.publish(payload.split('\n'))
    })
    next.on('error', () => reconnect(next))
    next.on('end', () => reconnect(next))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      client = next
    } catch {
      reconnect(next)
    }
  }

  function reconnect(lost: pg.Client) {
    // Events of the lost client may come after its successor has connected, and must not cause another reconnect.
    lost.removeAllListeners().on('error', () => {})
    lost.end().catch(() => {})
    if (client === lost) client = undefined
    if (closed || retry) return
    retry = setTimeout(() => {
      retry = undefined
      connecting = connect()
    }, RECONNECT_MS)
    retry.unref()
  }

  async function send() {
    while (client && outgoing.size > 0) {
      const sender = client
      const topics = [...outgoing].slice(0, TOPICS_PER_NOTIFY)
      for (const topic of topics) outgoing.delete(topic)
      await sender.query('select pg_notify($1, $2)', [CHANNEL, topics.join('\n')]).catch(() => reconnect(sender))
      await delay(BETWEEN_NOTIFIES_MS, undefined, { ref: false })
    }
    outgoing.clear()
    sending = false
  }

  async function disconnect() {
    await connecting
    client?.removeAllListeners().on('error', () => {})
    await client?.end().catch(() => {})
  }

  return {
    subscribe: local.subscribe,
    publish(topics) {
      const own = [...topics]
      if (own.length === 0) return
      local.publish(own)
      for (const topic of own) outgoing.add(topic)
      if (!sending) setImmediate(send)
      sending = true
    },
    async ask({ text, values }) {
      if (!client) throw new Error('The session that listens is not connected.')
      const { rows, rowCount } = await client.query(text, [...values])
      return { rows, rowCount: rowCount ?? 0 }
    },
    async close() {
      closed = true
      clearTimeout(retry)
      // A server that cannot be reached does not answer the disconnect.
      await Promise.race([disconnect(), delay(DISCONNECT_MS, undefined, { ref: false })])
    },
  }
}
