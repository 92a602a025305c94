// Sends of an organization to thousands of members while statements of the database fail: everyone has the notification once.
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { startTestApp, type TestParts } from '../support/app.ts'
import { breakStatements } from '../support/database/broken-statements.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { urlOf } from '../support/database/open-database.ts'
import {
  expectOneEntryEach,
  failEveryStepOnce,
  runForSeconds,
  sendToMany,
  stepsFor,
} from '../support/organizations/failing-fan-out.ts'
import { amountOf, counted, measured } from '../support/reliability/measured.ts'

type Kind = 'sqlite' | 'postgres'
// Longer than 10,000 members take on a busy machine.
const SPREAD_MS = 300_000

async function start(kind: Kind, parts?: TestParts) {
  const database = await createTestDatabase(kind)
  onTestFinished(() => database.drop())
  const app = await startTestApp({}, database, parts)
  onTestFinished(() => app.stop())
  return { app, database }
}

describe.each(['sqlite', 'postgres'] as const)('a send to an organization on %s', (kind) => {
  test('R01 to 2,000 members, each step of which fails once: all have it, and none twice', async () => {
    const members = 2000
    const { app } = await start(kind)
    const send = await sendToMany(app, members)
    const { isBroken, failedRuns } = failEveryStepOnce()
    breakStatements(app.app.ctx.db, isBroken)
    await runForSeconds(app, stepsFor(members))
    expect(failedRuns.size).toBe(stepsFor(members))
    await expectOneEntryEach(app, send, members)
    const errors = amountOf(failedRuns.size, 'error')
    measured('R01', kind, `a send to ${counted(members)} members, ${errors}, one at each step: one entry per member`)
  })

  test('R01 to 10,000 members while every 50th statement fails: all have it, and none twice', async () => {
    const members = 10_000
    const { app } = await start(kind, { clock: { ...systemClock, advanceSeconds: () => {}, set: () => {} } })
    const reader = { read: app.app.ctx.db.read }
    let statements = 0
    let isFailing = false
    breakStatements(app.app.ctx.db, () => isFailing && ++statements % 50 === 0)
    app.app.worker.start()

    const undisturbed = await sendToMany(app, members)
    const undisturbedMs = await timeUntilSpread(reader)
    await expectOneEntryEach(app, undisturbed, members)

    const disturbed = await sendToMany(app, members)
    isFailing = true
    const disturbedMs = await timeUntilSpread(reader)
    isFailing = false
    await expectOneEntryEach(app, disturbed, members)
    const errors = amountOf(Math.floor(statements / 50), 'failed statement')
    const times = `in ${inSeconds(disturbedMs)}, and in ${inSeconds(undisturbedMs)} without errors`
    measured('R01', kind, `a send to ${counted(members)} members, ${errors}: one entry per member ${times}`)
  })
})

test('R18 a statement that times out at the 31st step of a send: all members have it a second later, and none twice', async () => {
  const members = 1001
  const { app, database } = await start('postgres')
  const send = await sendToMany(app, members)
  // As after 30 steps.
  await app.app.ctx.db.transact((tx) =>
    tx.execute(sql`update jobs set attempt = 30 where kind = 'spread-notification'`),
  )
  const other = new pg.Client(urlOf(database))
  await other.connect()
  await other.query('begin')
  await other.query('select id from users where id = $1 for update', [send.org.id])
  await app.runDueJobs()
  await other.end()
  expect(await send.recipients()).toMatchObject({ stored: 100, done: false })
  app.advanceSeconds(1)
  await app.runDueJobs()
  await expectOneEntryEach(app, send, members)
  measured(
    'R18',
    'postgres',
    `a statement that timed out in a send to ${counted(members)} members: one entry per member`,
  )
})

async function timeUntilSpread({ read }: Pick<Database, 'read'>): Promise<number> {
  const startedMs = performance.now()
  const isSpread = async () =>
    expect(await read.all(sql`select id from jobs where kind = 'spread-notification'`)).toEqual([])
  await vi.waitFor(isSpread, { timeout: SPREAD_MS, interval: 100 })
  return performance.now() - startedMs
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
