// What an account has sent and what was refused, by day, source and key.
import { beforeEach, describe, expect, test } from 'vitest'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { fragment, sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const send = (members: object, token = user.token) =>
  app.post('/notifications', { title: 'T', body: 'B', ...members }, token)
const usage = async (query = '') => (await app.get(`/auth/me/usage${query}`, user.token)).body
const inSeconds = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()
const today = () => inSeconds(0).slice(0, 10)

describe('GET /auth/me/usage', () => {
  test('200 thirty days without gaps, oldest first', async () => {
    const { days } = await usage()
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({ day: today(), sent: 0, muted: 0, held: 0, refused: 0 })
    expect(days.at(-2).day).toBe(inSeconds(-86_400).slice(0, 10))
  })

  test('200 counts by source and by key, with refusals and their reasons', async () => {
    const key = await app.addKey(user, { permissions: { notifications: 'send' } })
    const { id: key_id } = (await app.get('/auth/me', key)).body.integration_key
    await app.put('/mutes', { source: 'noise', until: inSeconds(3600) }, user.token)
    for (const source of ['ci', 'ci', 'noise']) await send({ source }, key)
    await send({})
    expectProblem(await send({ title: '' }, key), 422, 'request.validation_failed')
    expectProblem(await send({ url: 'javascript:0' }, key), 400, 'notification.invalid')
    expectProblem(await send({ body: '' }, key), 422, 'request.validation_failed')
    const { days, sources, keys } = await usage('?days=2')
    expect(days).toMatchObject([{ sent: 0 }, { day: today(), sent: 4, muted: 1, held: 0, refused: 3 }])
    expect(sources).toEqual([
      { source: 'ci', sent: 2, by_day: [0, 2] },
      { source: 'noise', sent: 1, by_day: [0, 1] },
      { sent: 1, by_day: [0, 1] },
    ])
    expect(keys).toEqual([
      {
        key_id,
        sent: 3,
        muted: 1,
        held: 0,
        refused: [
          { code: 'request.validation_failed', count: 2 },
          { code: 'notification.invalid', count: 1 },
        ],
      },
      { sent: 1, muted: 0, held: 0, refused: [] },
    ])
  })

  test('200 counts what the devices have taken, as long as they are registered', async () => {
    const apns = { device_token: 'ab', environment: 'production' }
    await app.put('/devices/phone', { name: 'Phone', platform: 'ios', apns }, user.token)
    await app.put('/devices/wall', { name: 'Wall', platform: 'web' }, user.token)
    await app.put('/devices/desk', { name: 'Desk', platform: 'web' }, user.token)
    const events = await openEvents(app.url, user.token, undefined, 'desk')
    await send({})
    await send({})
    await send({ push: false })
    events.close()
    const { devices } = await usage()
    expect(devices).toEqual([
      { device_id: 'desk', accepted: 2, refused: 0, not_connected: 0 },
      { device_id: 'phone', accepted: 0, refused: 2, not_connected: 0 },
      { device_id: 'wall', accepted: 0, refused: 0, not_connected: 2 },
    ])
    await app.del('/devices/wall', user.token)
    expect((await usage()).devices).toHaveLength(2)
    app.advanceSeconds(86_400)
    expect((await usage('?days=1')).devices).toEqual([])
  })

  test('200 a repeated idempotent request and a dry run are not counted again; schedules are', async () => {
    const call = () =>
      app.call('POST', '/notifications', {
        token: user.token,
        body: { title: 'T', body: 'B' },
        headers: { 'idempotency-key': 'k' },
      })
    await call()
    await call()
    await app.post('/notifications?dry_run=true', { title: 'T', body: 'B' }, user.token)
    const plan = { title: 'T', body: 'B', send_at: inSeconds(60) }
    await app.post('/notifications/scheduled', plan, user.token)
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect((await usage()).days.at(-1).sent).toBe(2)
  })

  test('200 what the server sends about a heartbeat is counted, by a ping and by the clock', async () => {
    const heartbeats = heartbeatsOf(app)
    const heartbeat = await heartbeats.add(user, { every_seconds: 60, grace_seconds: 60 })
    await heartbeats.ping(heartbeat)
    app.advanceSeconds(60)
    await app.runDueJobs()
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect((await usage()).days.at(-1).sent).toBe(1)
    await heartbeats.ping(heartbeat)
    const { days, sources } = await usage('?days=1')
    expect([days.at(-1).sent, sources]).toMatchObject([2, [{ source: 'heartbeats', sent: 2 }]])
  })

  test('200 a day has a bounded number of rows, however many sources a sender invents', async () => {
    await Promise.all(Array.from({ length: 110 }, (_, index) => send({ source: `s${index}`, push: false })))
    const { days, sources } = await usage('?days=1')
    expect(days[0].sent).toBe(110)
    expect(sources).toHaveLength(21)
    const rows = await app.app.ctx.db.read.all(sql`select day from daily_counts where user_id = ${user.userId}`)
    expect(rows.length).toBeLessThanOrEqual(101)
    app.advanceSeconds(86_400)
    await send({ source: 'next-day', push: false })
    expect((await usage('?days=1')).sources).toMatchObject([{ source: 'next-day', sent: 1 }])
  })

  test('the counts of an account that was deleted since do not stop those of others', async () => {
    const gone = await app.addUser()
    app.app.ctx.dailyCounts.noteSent({ userId: 'nobody' as typeof gone.userId, keyId: null }, 'sent', app.clock.now())
    await send({})
    expect((await usage()).days.at(-1).sent).toBe(1)
  })

  test('counts are kept for 400 days', async () => {
    await app.put('/devices/wall', { name: 'Wall', platform: 'web' }, user.token)
    await send({})
    app.advanceSeconds(399 * 86_400)
    expect((await usage('?days=400')).days[0].sent).toBe(1)
    app.advanceSeconds(3 * 86_400)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    for (const table of ['daily_counts', 'daily_deliveries'].map(fragment)) {
      const rows = await app.app.ctx.db.read.all(sql`select day from ${table} where user_id = ${user.userId}`)
      expect(rows).toEqual([])
    }
  })

  test('422 for more days than are kept', async () => {
    expectProblem(await app.get('/auth/me/usage?days=401', user.token), 422, 'request.validation_failed')
  })
})
