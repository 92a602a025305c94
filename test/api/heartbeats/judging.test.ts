// When a heartbeat is late and down, what people are told, and that our own standstill is no failure of theirs.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { QUOTAS } from '../../../src/contract/limits.ts'
import { instant } from '../../../src/domain/instant.ts'
import { createAlive } from '../../../src/operations/heartbeats/alive.ts'
import { incrementUsage } from '../../../src/store/usage.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

const app = useTestApp()
const { add, ping, read, statusOf, told } = heartbeatsOf(app)
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const pass = async (seconds: number) => {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}
const titles = async () => (await told(user)).map(({ title }) => title)
const receipts = async () => (await app.get('/notifications/receipts', user.token)).body.items

describe('time', () => {
  test('new never alarms; then late when due, and down after the grace', async () => {
    const heartbeat = await add(user)
    await pass(30 * 86_400)
    expect(await statusOf(user)).toBe('new')
    await ping(heartbeat)
    await pass(3599)
    expect(await statusOf(user)).toBe('up')
    await pass(1)
    expect(await statusOf(user)).toBe('late')
    await pass(299)
    expect(await titles()).toEqual([])
    await pass(1)
    expect(await read(user)).toMatchObject({ status: 'down' })
    expect(await read(user)).not.toHaveProperty('next_due_at')
    expect(await told(user)).toMatchObject([
      {
        title: 'Backup is down',
        body: expect.stringMatching(/^Expected a ping by [\d-]+ [\d:]+ UTC; last success [\d-]+ [\d:]+ UTC\.$/),
        level: 'time-sensitive',
        source: 'heartbeats',
        pushed: true,
      },
    ])
    await pass(86_400)
    expect(await titles()).toHaveLength(1)
  })

  test('pings move the time, and one job judges', async () => {
    const heartbeat = await add(user)
    for (let i = 0; i < 20; i++) {
      await ping(heartbeat)
      await pass(3500)
    }
    expect(await statusOf(user)).toBe('up')
    await pass(100)
    expect(await statusOf(user)).toBe('late')
    await pass(300)
    expect(await titles()).toEqual(['Backup is down'])
  })

  test('a cron pattern is due at its next time in its zone', async () => {
    app.clock.set(instant(Date.parse('2027-03-27T12:00:00Z')))
    const heartbeat = await add(user, {
      every_seconds: undefined,
      cron: '30 7 * * *',
      timezone: 'Europe/Berlin',
      grace_seconds: 1800,
    })
    await ping(heartbeat)
    // Daylight saving time starts in the night.
    expect((await read(user)).next_due_at).toBe('2027-03-28T05:30:00.000Z')
    app.clock.set(instant(Date.parse('2027-03-28T06:00:00Z')))
    await app.runDueJobs()
    expect((await told(user))[0]?.body).toBe(
      'Expected a ping by 2027-03-28 07:30 (Europe/Berlin); last success 2027-03-27 13:00 (Europe/Berlin).',
    )
  })

  test('a run that does not end in time is down: after the grace, or after the time between two runs if that is longer', async () => {
    const [brief, patient] = [
      await add(user, { slug: 'brief', every_seconds: 60, grace_seconds: 600 }),
      await add(user, { slug: 'patient', every_seconds: 3600, grace_seconds: 60 }),
    ]
    await ping(brief, '/start')
    await ping(patient, '/start')
    await pass(599)
    expect([await statusOf(user, 'brief'), await statusOf(user, 'patient')]).toEqual(['started', 'started'])
    await pass(1)
    expect([await statusOf(user, 'brief'), await statusOf(user, 'patient')]).toEqual(['down', 'started'])
    expect((await told(user))[0]?.body).toMatch(/^It started at .* and did not finish within 10 min; it has never/)
    await pass(3000)
    expect(await statusOf(user, 'patient')).toBe('down')
  })

  test('while a run is open, the next success is not due', async () => {
    const heartbeat = await add(user)
    await ping(heartbeat)
    await pass(3500)
    await ping(heartbeat, '/start')
    await pass(1000)
    expect(await statusOf(user)).toBe('started')
    await ping(heartbeat)
    expect(await statusOf(user)).toBe('up')
    expect(await titles()).toEqual([])
  })
})

describe('a failure', () => {
  test('is down at once, with the exit status and the end of its body; a second one tells nothing more', async () => {
    const heartbeat = await add(user)
    await ping(heartbeat, '/2', { raw: `${'x'.repeat(2000)}\nno space left on device\n` })
    await ping(heartbeat, '/fail')
    const [alert, ...more] = await told(user)
    expect(alert?.body).toMatch(
      /^Expected a success, got exit status 2; it has never succeeded\.\n\n…x+\nno space left/,
    )
    expect(alert?.body.length).toBeLessThan(1200)
    expect(more).toEqual([])
    expect((await app.get('/notifications/unread-count', user.token)).body.count).toBe(1)
  })

  test('up again: told passively, with how long it was down; the receipt ends as resolved', async () => {
    const heartbeat = await add(user, { acknowledge: { repeat_seconds: 30 }, level: 'critical', tags: ['nas'] })
    await ping(heartbeat, '/fail')
    expect(await receipts()).toMatchObject([{ status: 'active', tags: ['nas'] }])
    await pass(14 * 60)
    await ping(heartbeat, '/start')
    expect(await statusOf(user)).toBe('down')
    await ping(heartbeat)
    expect(await receipts()).toMatchObject([{ status: 'canceled', cancel_reason: 'resolved' }])
    expect((await told(user)).map(({ title, level }) => [title, level])).toEqual([
      ['Backup is down', 'critical'],
      ['Backup is up again, down for 14 min', 'passive'],
    ])
    expect(await statusOf(user)).toBe('up')
    await pass(3600 + 300)
    expect(await titles()).toHaveLength(3)
  })

  test('costs a unit; without quota it is stored and not pushed, and the heartbeat is down all the same', async () => {
    const heartbeat = await add(user, { acknowledge: {} })
    await ping(heartbeat, '/fail')
    expect((await app.get('/auth/me', user.token)).body.notifications_used).toBe(1)
    await ping(heartbeat)
    const { db } = app.app.ctx
    const allowance = QUOTAS.paid.notifications
    await db.transact(async (tx) => {
      while (await incrementUsage(tx, user.userId, 'notifications', allowance, app.clock.now()));
    })
    await ping(heartbeat, '/fail')
    expect(await statusOf(user)).toBe('down')
    expect((await told(user)).map(({ title, pushed }) => [title, pushed])).toEqual([
      ['Backup is down', true],
      ['Backup is up again, down for 1 min', true],
      ['Backup is down', false],
    ])
    expect(await receipts()).toHaveLength(1)
  })

  test('beyond the largest number of receipts the alert is sent without one', async () => {
    for (let i = 0; i < 25; i++) {
      await app.post('/notifications', { title: 'T', body: 'B', acknowledge: {} }, user.token)
    }
    await ping(await add(user, { acknowledge: {} }), '/fail')
    expect((await told(user)).at(-1)).toMatchObject({ title: 'Backup is down', pushed: true })
  })

  test('what is muted is told in the inbox only', async () => {
    const until = new Date(app.clock.now() + 3_600_000).toISOString()
    await app.put('/mutes', { source: 'heartbeats', until }, user.token)
    await ping(await add(user), '/fail')
    expect(await told(user)).toMatchObject([{ title: 'Backup is down', pushed: false }])
  })
})

describe('a standstill of ours', () => {
  test('of an hour, stopped and started again: no alarm, all due times move; what was down stays down', async () => {
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

  test('of a process that was halted and goes on is noticed before the next job judges; another live node prevents it', async () => {
    const { db, clock, log } = app.app.ctx
    let wall = clock.now()
    const halted = createAlive({ db, clock, log }, () => wall)
    const alive = createAlive({ db, clock, log }, () => wall)
    await halted.stamp()
    await ping(await add(user, { every_seconds: 600 }))
    const halt = async (isOtherAlive: boolean) => {
      await alive.stamp()
      app.advanceSeconds(3600)
      if (isOtherAlive) await alive.stamp()
      wall = instant(wall + 3_600_000)
      await halted.checkStandstill()
      return (Date.parse((await read(user)).next_due_at) - app.clock.now()) / 1000
    }
    expect(await halt(false)).toBe(600)
    expect(await halt(true)).toBe(-3000)
  })
})
