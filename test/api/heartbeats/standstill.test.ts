// A time in which no node could receive pings is no failure of those who ping.
import { expect, onTestFinished, test } from 'vitest'
import { startWork } from '../../../src/boot/app.ts'
import { instant } from '../../../src/domain/instant.ts'
import { createAlive } from '../../../src/operations/heartbeats/alive.ts'
import { openChannels } from '../../../src/push/channels/channels.ts'
import { loadConfig } from '../../../src/runtime/config.ts'
import { createLog } from '../../../src/runtime/log.ts'
import { startTestApp, useTestApp } from '../../support/app.ts'
import { createTestDatabase, isPostgres } from '../../support/database/database.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

const app = useTestApp()
const { add, ping, read } = heartbeatsOf(app)

test('an hour, stopped and started again: no alarm, all due times move; what was down stays down', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const evening = await startTestApp({}, database)
  const { clock } = evening
  const owner = await evening.addUser()
  const before = heartbeatsOf(evening)
  const [sensor, job, broken] = [
    await before.add(owner, { slug: 'sensor', every_seconds: 600 }),
    await before.add(owner, { slug: 'job', every_seconds: 600, grace_seconds: 900 }),
    await before.add(owner, { slug: 'broken' }),
  ]
  await before.ping(sensor)
  await before.ping(job, '/start')
  await before.ping(broken, '/fail')
  await evening.stop()
  clock.advanceSeconds(3600)
  const morning = await startTestApp({}, database, { clock })
  onTestFinished(() => morning.stop())
  const after = heartbeatsOf(morning)
  await morning.runDueJobs()
  const statuses = () => Promise.all(['sensor', 'job', 'broken'].map((slug) => after.statusOf(owner, slug)))
  expect(await statuses()).toEqual(['up', 'started', 'down'])
  expect((Date.parse((await after.read(owner, 'sensor')).next_due_at) - clock.now()) / 1000).toBe(600)
  expect((await after.told(owner)).map(({ title }) => title)).toEqual(['Backup is down'])
  clock.advanceSeconds(900)
  await morning.runDueJobs()
  expect(await statuses()).toEqual(['down', 'down', 'down'])
})

test('a restart of 30 s moves nothing', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const first = await startTestApp({}, database)
  const { clock } = first
  const owner = await first.addUser()
  const { path } = await heartbeatsOf(first).add(owner, { every_seconds: 60, grace_seconds: 60 })
  await first.get(path)
  await first.stop()
  clock.advanceSeconds(30)
  const second = await startTestApp({}, database, { clock })
  onTestFinished(() => second.stop())
  clock.advanceSeconds(90)
  await second.runDueJobs()
  expect(await heartbeatsOf(second).statusOf(owner)).toBe('down')
})

test('a process that was halted and goes on notices it before the next job judges; another live node prevents it', async () => {
  const { db, clock, log } = app.app.ctx
  let wall = clock.now()
  const halted = createAlive({ db, clock, log }, () => wall)
  const alive = createAlive({ db, clock, log }, () => wall)
  await halted.stamp()
  const user = await app.addUser()
  await ping(await add(user, { every_seconds: 600 }))
  const halt = async (isOtherAlive: boolean) => {
    await alive.stamp()
    app.advanceSeconds(3600)
    if (isOtherAlive) await alive.stamp()
    wall = instant(wall + 3_600_000)
    await halted.hearsPings()
    return (Date.parse((await read(user)).next_due_at) - app.clock.now()) / 1000
  }
  expect(await halt(false)).toBe(600)
  expect(await halt(true)).toBe(-3000)
})

test('while only a node without a listener runs: it does not judge, and the next one that listens moves the due times', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const evening = await startTestApp({}, database)
  const { clock } = evening
  const owner = await evening.addUser()
  await evening.get((await heartbeatsOf(evening).add(owner, { every_seconds: 60, grace_seconds: 60 })).path)
  await evening.stop()

  const config = loadConfig({}, database.environment, 'no-such-file.json')
  const work = await startWork(config, { log: createLog('silent', 'json'), openChannels, clock })
  for (let passed = 0; passed < 150; passed += 10) {
    clock.advanceSeconds(10)
    await work.worker.runDue()
  }
  // On SQLite only one process has the file at a time.
  if (!isPostgres()) await work.stop()

  const morning = await startTestApp({}, database, { clock })
  onTestFinished(() => morning.stop())
  const after = heartbeatsOf(morning)
  expect(await after.statusOf(owner)).toBe('up')
  for (let passed = 0; passed < 120; passed += 30) {
    clock.advanceSeconds(30)
    await morning.app.ctx.alive.stamp()
    await (isPostgres() ? work : morning.app).worker.runDue()
  }
  if (isPostgres()) await work.stop()
  expect(await after.statusOf(owner)).toBe('down')
})
