// When a heartbeat is late and down, and what people are told.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { QUOTAS } from '../../../src/contract/limits.ts'
import { instant } from '../../../src/domain/instant.ts'
import { sql } from '../../../src/store/engine/sql.ts'
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

  test('after repeated internal errors it is judged again an hour later', async () => {
    const heartbeat = await add(user)
    await ping(heartbeat)
    const { db } = app.app.ctx
    const [row] = await db.read.all<{ runs: string }>(sql`select runs from heartbeats where user_id = ${user.userId}`)
    const setRuns = (runs: string) =>
      db.transact((tx) => tx.execute(sql`update heartbeats set runs = ${runs} where user_id = ${user.userId}`))
    // No request can cause this: a row that cannot be read.
    await setRuns('broken')
    for (const seconds of [3600, 1, 5, 30, 120, 600, 3600]) await pass(seconds)
    await setRuns(row?.runs ?? '')
    expect(await titles()).toEqual([])
    await pass(3599)
    expect(await titles()).toEqual([])
    await pass(1)
    expect([await statusOf(user), await titles()]).toEqual(['down', ['Backup is down']])
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

  test('a run that does not end within the grace, or within max_run_seconds, is down', async () => {
    const [brief, patient] = [
      await add(user, { slug: 'brief', every_seconds: 86_400, grace_seconds: 600 }),
      await add(user, { slug: 'patient', every_seconds: 3600, grace_seconds: 60, max_run_seconds: 7200 }),
    ]
    const statuses = () => Promise.all(['brief', 'patient'].map((slug) => statusOf(user, slug)))
    await ping(patient)
    await ping(brief, '/start')
    await ping(patient, '/start')
    await pass(599)
    expect(await statuses()).toEqual(['started', 'started'])
    await pass(1)
    expect(await statuses()).toEqual(['down', 'started'])
    expect((await told(user))[0]?.body).toMatch(/^It started at .* and did not finish within 10 min; it has never/)
    await pass(6599)
    expect(await statuses()).toEqual(['down', 'started'])
    await pass(1)
    expect(await statuses()).toEqual(['down', 'down'])
    expect((await told(user))[1]?.body).toMatch(/and did not finish within 2 h; last success/)
  })

  test('a run that ends within the grace is no alarm, also if it ends later than a success was due', async () => {
    const heartbeat = await add(user)
    await ping(heartbeat)
    await pass(3500)
    await ping(heartbeat, '/start')
    await pass(299)
    expect(await statusOf(user)).toBe('started')
    await ping(heartbeat)
    expect(await statusOf(user)).toBe('up')
    expect(await titles()).toEqual([])
  })

  test.each([
    ['without a rid', () => ''],
    ['with a rid for each run', () => `?rid=${randomUUID()}`],
  ])('a job that starts again and again without an end is down, %s', async (_name, query) => {
    const heartbeat = await add(user, { every_seconds: 60, grace_seconds: 60 })
    await ping(heartbeat)
    // More starts within a minute than runs are remembered.
    for (let start = 0; start < 60; start++) {
      await pass(2)
      await ping(heartbeat, `/start${query()}`)
    }
    expect(await statusOf(user)).toBe('down')
    expect(await titles()).toEqual(['Backup is down'])
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

  test('up again: told passively, with how long it was down since it first failed; the receipt ends as resolved', async () => {
    const heartbeat = await add(user, { acknowledge: { repeat_seconds: 30 }, level: 'critical', tags: ['nas'] })
    await ping(heartbeat, '/fail')
    expect(await receipts()).toMatchObject([{ status: 'active', tags: ['nas'] }])
    await pass(4 * 60)
    await ping(heartbeat, '/fail')
    await pass(10 * 60)
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

  test('beyond the largest number of receipts the alert is sent without one, and its timeline says so', async () => {
    for (let i = 0; i < 25; i++) {
      await app.post('/notifications', { title: 'T', body: 'B', acknowledge: {} }, user.token)
    }
    await ping(await add(user, { acknowledge: {} }), '/fail')
    const alert = (await told(user)).at(-1)
    expect(alert).toMatchObject({ title: 'Backup is down', pushed: true })
    const { items } = (await app.get(`/notifications/${alert?.id}/timeline`, user.token)).body
    expect(items).toContainEqual(
      expect.objectContaining({ event: 'no_receipt', detail: 'the account has 25 open alerts' }),
    )
  })

  test.each(['HELIOGRAPH_ACKNOWLEDGE', 'HELIOGRAPH_ANSWERS'])(
    'once the operator has switched %s off, the alert is sent without a receipt',
    async (setting) => {
      const database = await createTestDatabase()
      onTestFinished(() => database.drop())
      const before = await startTestApp({}, database)
      const user = await before.addUser()
      const heartbeat = await heartbeatsOf(before).add(user, { acknowledge: {} })
      await before.stop()
      const after = await startTestApp({ [setting]: 'off' }, database, { clock: before.clock })
      onTestFinished(() => after.stop())
      const { ping, told } = heartbeatsOf(after)
      await ping(heartbeat, '/fail')
      expect(await told(user)).toMatchObject([{ title: 'Backup is down', pushed: true }])
      expect((await after.get('/notifications/receipts', user.token)).body.items).toEqual([])
    },
  )

  test('what is muted is told in the inbox only', async () => {
    const until = new Date(app.clock.now() + 3_600_000).toISOString()
    await app.put('/mutes', { source: 'heartbeats', until }, user.token)
    await ping(await add(user), '/fail')
    expect(await told(user)).toMatchObject([{ title: 'Backup is down', pushed: false }])
  })
})
