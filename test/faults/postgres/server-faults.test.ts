// R18: PostgreSQL fails in the ways that operators know while clients send to two nodes. Nothing accepted is lost or
// doubled, clients get 503 with Retry-After, and both nodes work again by themselves.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import type { FaultyLink } from '../../support/fakes/faulty-link.ts'
import { type OwnServer, startOwnServer } from '../../support/postgres-faults/own-server.ts'
import { surviveFault } from '../../support/postgres-faults/survive-fault.ts'
import { measuredFault } from '../../support/reliability/measured.ts'

let server: OwnServer
beforeAll(async () => {
  server = await startOwnServer()
})
afterAll(() => server.remove())

// Resolves when the fault is over.
type Cause = (link: FaultyLink) => Promise<unknown>

const FAULTS: [name: string, cause: Cause][] = [
  ['an immediate restart', () => server.crash().then(() => server.start())],
  ['all sessions terminated, ten times', () => repeat(10, () => forAllSessions('pg_terminate_backend'))],
  ['all statements cancelled, a hundred times', () => repeat(100, () => forAllSessions('pg_cancel_backend'), 20)],
  ['all connections reset, ten times', (link) => repeat(10, async () => link.reset())],
  ['a network without packets for six seconds', loseAllPackets],
  ['statements that time out behind a lock for six seconds', lockFeeds],
  ['a read-only period of three seconds', makeReadOnly],
]

test.each(FAULTS)('R18 %s: nothing is lost or doubled, and service resumes', async (name, cause) => {
  const fault = await surviveFault(name, server, async (link) => {
    await cause(link)
    return server
  })
  measuredFault('R18', 'postgres', fault)
})

async function repeat(times: number, cause: () => Promise<unknown>, everyMs = 200): Promise<void> {
  for (let i = 0; i < times; i++) {
    await cause()
    await delay(everyMs)
  }
}

const forAllSessions = (what: string) =>
  server.run(`select ${what}(pid) from pg_stat_activity where application_name = 'heliograph'`)

async function loseAllPackets(link: FaultyLink): Promise<void> {
  link.blackhole()
  await delay(6000)
  link.heal()
}

async function lockFeeds(): Promise<void> {
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query('begin')
  await client.query('lock table feeds in access exclusive mode')
  await delay(6000)
  await client.end()
}

async function makeReadOnly(): Promise<void> {
  await server.configure({ default_transaction_read_only: 'on' })
  await delay(3000)
  await server.configure({ default_transaction_read_only: null })
}
