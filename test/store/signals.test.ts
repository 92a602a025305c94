// Signals after a commit: which listeners get them, on this node and on others, and what a lost connection does.
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { openPostgres } from '../../src/store/engine/postgres/postgres.ts'
import { createSignals } from '../../src/store/engine/signals.ts'
import { isPostgres } from '../support/database/database.ts'
import { createEmptyDatabase, openNode, openTestDatabase, urlOf } from '../support/database/open-database.ts'
import { eventually } from '../support/eventually.ts'

function listen(db: Database, topic: string): { heard: number } {
  const listener = { heard: 0 }
  onTestFinished(db.signals.subscribe(topic, () => listener.heard++))
  return listener
}

const signal = (db: Database, ...topics: string[]) =>
  db.transact(async (tx) => {
    for (const topic of topics) tx.signal(topic)
  })

test('a signal reaches every listener of its topic and no other, until the listener unsubscribes', () => {
  const signals = createSignals()
  const heard: string[] = []
  const leave = signals.subscribe('jobs', () => heard.push('first'))
  signals.subscribe('jobs', () => heard.push('second'))
  signals.subscribe('other', () => heard.push('other'))
  signals.publish(['jobs'])
  expect(heard).toEqual(['first', 'second'])
  leave()
  signals.publish(['jobs', 'nobody'])
  expect(heard).toEqual(['first', 'second', 'second'])
})

test('a listener may unsubscribe while it is being called', () => {
  const signals = createSignals()
  const heard: string[] = []
  const leave = signals.subscribe('jobs', () => {
    heard.push('once')
    leave()
  })
  signals.subscribe('jobs', () => heard.push('always'))
  signals.publish(['jobs'])
  signals.publish(['jobs'])
  expect(heard).toEqual(['once', 'always', 'always'])
})

test('several transactions of one turn may signal the same topic', async () => {
  const { db } = await openTestDatabase()
  const jobs = listen(db, 'jobs')
  await Promise.all([signal(db, 'jobs'), signal(db, 'jobs', 'other'), signal(db, 'jobs')])
  await eventually(() => expect(jobs.heard).toBeGreaterThan(0))
})

describe.skipIf(!isPostgres())('between nodes', () => {
  async function twoNodes() {
    const database = await createEmptyDatabase()
    const [here, there] = [await openNode(database), await openNode(database)]
    await untilListening(database.environment.HELIOGRAPH_DATABASE_URL as string, 2)
    return { here, there, url: urlOf(database) as string }
  }

  test('R19 a commit on one node signals the listeners of the other', async () => {
    const { here, there } = await twoNodes()
    const jobs = listen(there, 'jobs')
    const other = listen(there, 'other')
    await signal(here, 'jobs')
    await eventually(() => expect(jobs.heard).toBe(1))
    expect(other.heard).toBe(0)
  })

  test('more topics than fit in one message all arrive', async () => {
    const { here, there } = await twoNodes()
    const topics = Array.from({ length: 350 }, (_, i) => `answer:${i}:0123456789012345678901234567890123456789`)
    const listeners = topics.map((topic) => listen(there, topic))
    await signal(here, ...topics)
    await eventually(() => expect(listeners.filter(({ heard }) => heard === 1)).toHaveLength(350))
  })

  test('R19 a lost LISTEN connection is replaced, and later signals arrive', async () => {
    const { here, there, url } = await twoNodes()
    const jobs = listen(there, 'jobs')
    await onServer(
      url,
      `with listeners as materialized (${PIDS} and (${LISTENERS}))
      select pg_terminate_backend(pid) from listeners`,
    )
    await signal(here, 'jobs')
    await untilListening(url, 2)
    await signal(here, 'jobs')
    await eventually(() => expect(jobs.heard).toBeGreaterThan(0))
  })

  test('a node that closes right after opening leaves no connection behind', async () => {
    const database = await createEmptyDatabase()
    const url = urlOf(database) as string
    for (let round = 0; round < 5; round++) await (await openPostgres(url)).close()
    await eventually(async () => expect(await connections(url, 'true')).toBe(0))
  })
})

const PIDS = `select pid from pg_stat_activity where datname = current_database() and application_name = 'heliograph'`
const LISTENERS = `query ilike 'listen%' or query ilike '%pg_notify%'`

const untilListening = (url: string, count: number) =>
  eventually(async () => expect(await connections(url, LISTENERS)).toBe(count))

async function connections(url: string, which: string): Promise<number> {
  return (await onServer(url, `${PIDS} and (${which})`)).length
}

async function onServer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
