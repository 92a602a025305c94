// Heartbeats: creating, changing, listing, pausing and removing them, and the widget that shows one.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

const app = useTestApp()
const { add, ping, read, statusOf, pings, told } = heartbeatsOf(app)
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const put = (members: object, token = user.token) =>
  app.post('/heartbeats', { slug: 'backup', name: 'Backup', every_seconds: 3600, ...members }, token)
const patch = (members: object, token = user.token) => app.patch('/heartbeats/backup', members, token)

describe('POST /heartbeats', () => {
  test('201 with the defaults; 200 for the same slug, which keeps the status, the pings and the address', async () => {
    const created = await put({})
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      slug: 'backup',
      name: 'Backup',
      every_seconds: 3600,
      grace_seconds: 300,
      level: 'time-sensitive',
      widget: false,
      status: 'new',
      ping_url: expect.stringMatching(/^http:.*\/ping\/[0-9a-f-]{36}$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await ping({ path: new URL(created.body.ping_url).pathname })
    const refreshed = await put({ name: 'Nightly', every_seconds: 7200, tags: [], url: '' })
    expect(refreshed.status).toBe(200)
    expect(refreshed.body).toMatchObject({ name: 'Nightly', status: 'up', ping_url: created.body.ping_url })
    expect(Date.parse(refreshed.body.next_due_at) - app.clock.now()).toBe(7_200_000)
    expect(await pings(user)).toHaveLength(1)
  })

  test('400 heartbeat.invalid for each rule that no schema states', async () => {
    const cases: [object, string][] = [
      [{ every_seconds: undefined }, 'body.every_seconds'],
      [{ cron: '0 3 * * *', timezone: 'UTC' }, 'body.every_seconds'],
      [{ every_seconds: undefined, cron: '0 3 * * *' }, 'body.timezone'],
      [{ every_seconds: undefined, timezone: 'UTC' }, 'body.cron'],
      [{ every_seconds: undefined, cron: '61 * * * *', timezone: 'UTC' }, 'body.cron'],
      [{ every_seconds: undefined, cron: '0 0 30 2 *', timezone: 'UTC' }, 'body.cron'],
      [{ every_seconds: undefined, cron: '0 3 * * *', timezone: 'Mars' }, 'body.timezone'],
      [{ slug: 'a'.repeat(126), widget: true }, 'body.slug'],
    ]
    for (const [members, location] of cases) {
      const answer = await put(members)
      expectProblem(answer, 400, 'heartbeat.invalid')
      expect(locations(answer)).toEqual([location])
    }
  })

  test('a cron pattern may come every minute, unlike that of a schedule', async () => {
    expect((await put({ every_seconds: undefined, cron: '* * * * *', timezone: 'UTC' })).status).toBe(201)
  })

  test('the alert has the rules of a notification: 400 notification.invalid', async () => {
    expectProblem(await put({ tags: ['nas'] }), 400, 'notification.invalid')
    expectProblem(await put({ level: 'passive', acknowledge: {} }), 400, 'notification.invalid')
    expectProblem(await put({ acknowledge: {}, tags: ['two words'] }), 400, 'notification.invalid')
    expectProblem(await put({ url: 'javascript:alert(1)' }), 400, 'notification.invalid')
  })

  test('422 for values out of range and unknown members', async () => {
    for (const members of [
      { every_seconds: 59 },
      { every_seconds: 2_678_401 },
      { grace_seconds: 59 },
      { grace_seconds: 604_801 },
      { max_run_seconds: 59 },
      { max_run_seconds: 2_678_401 },
      { name: '' },
      { name: 'x'.repeat(65) },
      { slug: 'no spaces' },
      { status: 'up' },
    ]) {
      expectProblem(await put(members), 422, 'request.validation_failed')
    }
    expectProblem(await put({ target: { groups: ['ops'] } }), 422, 'org.target_unavailable')
  })

  test('200 with ?dry_run=true: what it would be, and nothing is created or changed', async () => {
    const rehearsed = await app.post(
      '/heartbeats?dry_run=true',
      { slug: 'backup', name: 'B', every_seconds: 60 },
      user.token,
    )
    expect(rehearsed.status).toBe(200)
    expect(rehearsed.body).toMatchObject({ valid: true, would: { action: 'created', resource: { slug: 'backup' } } })
    expect(rehearsed.body.would.resource).not.toHaveProperty('ping_url')
    expect((await app.get('/heartbeats', user.token)).body.items).toEqual([])
    await add(user)
    const patched = await app.patch('/heartbeats/backup?dry_run=true', { name: 'Other' }, user.token)
    expect(patched.body).toMatchObject({ valid: true, would: { action: 'updated', resource: { name: 'Other' } } })
    expect((await read(user)).name).toBe('Backup')
    expectProblem(
      await app.post('/heartbeats?dry_run=true', { slug: 'b', name: 'B' }, user.token),
      400,
      'heartbeat.invalid',
    )
  })

  test('409 heartbeat.limit_exceeded: 20 on the free plan, and 100 on the paid one', async () => {
    const free = await app.addUser('free')
    for (let i = 0; i < LIMITS.heartbeat.maxPerAccount.free; i++) await add(free, { slug: `job-${i}` })
    expectProblem(await put({ slug: 'one-more' }, free.token), 409, 'heartbeat.limit_exceeded')
    expect((await put({ slug: 'job-3' }, free.token)).status).toBe(200)
    await app.setPlan(free, 'paid')
    expect((await put({ slug: 'one-more' }, free.token)).status).toBe(201)
  })
})

describe('who may', () => {
  test('a key that sends reads all of the account without the address; one that schedules writes and sees it', async () => {
    const sender = await app.addKey(user, { permissions: { notifications: 'send' } })
    const scheduler = await app.addKey(user, { permissions: { notifications: 'schedule' } })
    await add(user)
    expect((await app.get('/heartbeats/backup', sender)).body).not.toHaveProperty('ping_url')
    expect((await app.get('/heartbeats', sender)).body.items[0]).not.toHaveProperty('ping_url')
    expect((await app.get('/heartbeats', scheduler)).body.items[0].ping_url).toMatch(/\/ping\//)
    expectProblem(
      await app.post('/heartbeats/backup/roll', undefined, sender),
      403,
      'integration_key.permission_denied',
    )
    expect((await app.post('/heartbeats/backup/roll', undefined, scheduler)).status).toBe(200)
  })

  test('a heartbeat with a widget needs a key that may write that widget', async () => {
    const scheduler = await app.addKey(user, { permissions: { notifications: 'schedule' } })
    const permissions = { notifications: 'schedule', widgets: 'write' }
    const elsewhere = await app.addKey(user, { permissions, widget_slugs: ['desk-*'] })
    expectProblem(await put({ widget: true }, scheduler), 403, 'integration_key.permission_denied')
    expectProblem(await put({ widget: true }, elsewhere), 403, 'integration_key.slug_invalid')
    await put({})
    expectProblem(await patch({ widget: true }, scheduler), 403, 'integration_key.permission_denied')
    expectProblem(await patch({ widget: true }, elsewhere), 403, 'integration_key.slug_invalid')
  })
})

describe('PATCH /heartbeats/{slug}', () => {
  test('200 one that is late is up again if the new times say so', async () => {
    const heartbeat = await add(user)
    await ping(heartbeat)
    app.advanceSeconds(3600)
    await app.runDueJobs()
    expect(await statusOf(user)).toBe('late')
    expect((await patch({ every_seconds: 7200 })).body).toMatchObject({ status: 'up' })
    app.advanceSeconds(3600)
    await app.runDueJobs()
    expect(await statusOf(user)).toBe('late')
  })

  test('200 another time zone moves what is due', async () => {
    const heartbeat = await add(user, { every_seconds: undefined, cron: '0 3 * * *', timezone: 'UTC' })
    await ping(heartbeat)
    expect((await read(user)).next_due_at).toMatch(/T03:00:00/)
    expect((await patch({ timezone: 'Asia/Tokyo' })).body.next_due_at).toMatch(/T18:00:00/)
  })

  test('200 merges: null removes a member or sets its default', async () => {
    await add(user, {
      acknowledge: { repeat_seconds: 120 },
      tags: ['nas'],
      grace_seconds: 900,
      max_run_seconds: 7200,
      url: 'https://a.example',
    })
    expect(await read(user)).toMatchObject({ max_run_seconds: 7200 })
    const changed = await patch({
      acknowledge: { expire_seconds: 600 },
      tags: null,
      grace_seconds: null,
      max_run_seconds: null,
      url: null,
      every_seconds: null,
      cron: '0 3 * * *',
      timezone: 'Europe/Berlin',
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      acknowledge: { repeat_seconds: 120, expire_seconds: 600 },
      grace_seconds: 300,
      cron: '0 3 * * *',
    })
    for (const gone of ['tags', 'url', 'every_seconds', 'max_run_seconds'])
      expect(changed.body).not.toHaveProperty(gone)
  })

  test('400 for what the merged heartbeat may not be, and for an empty patch; 404 for an unknown slug', async () => {
    await add(user)
    expectProblem(await patch({ cron: '0 3 * * *', timezone: 'UTC' }), 400, 'heartbeat.invalid')
    expectProblem(await patch({ every_seconds: null }), 400, 'heartbeat.invalid')
    expectProblem(await patch({}), 400, 'request.body_required')
    expectProblem(await app.patch('/heartbeats/other', { name: 'N' }, user.token), 404, 'heartbeat.not_found')
    expectProblem(await app.get('/heartbeats/not a slug', user.token), 400, 'slug.invalid')
  })

  test('a shorter time counts from the last success; one that is over already counts from now', async () => {
    const heartbeat = await add(user, { every_seconds: 7200 })
    await ping(heartbeat)
    app.advanceSeconds(1800)
    const due = async () => (Date.parse((await read(user)).next_due_at) - app.clock.now()) / 1000
    await patch({ every_seconds: 3600 })
    expect(await due()).toBe(1800)
    await patch({ every_seconds: 900 })
    expect(await due()).toBe(900)
    app.advanceSeconds(900)
    await app.runDueJobs()
    expect(await statusOf(user)).toBe('late')
  })
})

describe('pause, resume and roll', () => {
  test('nothing is judged while it is paused; resuming counts from then on; a ping resumes', async () => {
    const heartbeat = await add(user)
    await ping(heartbeat)
    const paused = await app.post('/heartbeats/backup/pause', undefined, user.token)
    expect(paused.body.status).toBe('paused')
    expect(paused.body).not.toHaveProperty('next_due_at')
    app.advanceSeconds(86_400)
    await app.runDueJobs()
    expect(await statusOf(user)).toBe('paused')
    expect((await app.post('/heartbeats/backup/resume', undefined, user.token)).body.status).toBe('up')
    app.advanceSeconds(3600)
    await app.runDueJobs()
    expect(await statusOf(user)).toBe('late')
    await app.post('/heartbeats/backup/pause', undefined, user.token)
    await ping(heartbeat, '/log')
    expect(await statusOf(user)).toBe('paused')
    await ping(heartbeat)
    expect(await statusOf(user)).toBe('up')
    expect(await told(user)).toEqual([])
  })

  test.each([
    ['never pinged', [], 'new'],
    ['never succeeded', ['/log', '/start'], 'new'],
    ['succeeded', ['', '/start'], 'up'],
    ['failed last', ['', '/fail'], 'down'],
    ['failed only', ['/fail', '/log'], 'down'],
  ])('a pause and a resume do not hide that it has %s', async (_name, actions, status) => {
    const heartbeat = await add(user)
    for (const action of actions) await ping(heartbeat, action)
    await app.post('/heartbeats/backup/pause', undefined, user.token)
    expect((await app.post('/heartbeats/backup/resume', undefined, user.token)).body.status).toBe(status)
    await ping(heartbeat)
    expect(await statusOf(user)).toBe('up')
  })

  test('pausing one that is down ends its alert', async () => {
    const heartbeat = await add(user, { acknowledge: {} })
    await ping(heartbeat, '/fail')
    await app.post('/heartbeats/backup/pause', undefined, user.token)
    const { items } = (await app.get('/notifications/receipts', user.token)).body
    expect(items).toMatchObject([{ status: 'canceled', cancel_reason: 'resolved' }])
  })

  test('the old address stops at once, and changes nothing', async () => {
    const heartbeat = await add(user)
    const rolled = (await app.post('/heartbeats/backup/roll', undefined, user.token)).body
    expect(rolled.ping_url).not.toBe(heartbeat.ping_url)
    expect(await ping(heartbeat)).toMatchObject({ status: 404, text: 'not found' })
    expect(await pings(user)).toEqual([])
    expect((await ping({ path: new URL(rolled.ping_url).pathname })).status).toBe(200)
  })
})

describe('DELETE /heartbeats/{slug}', () => {
  test('204: pings, widget and the receipt of its alert go with it', async () => {
    const heartbeat = await add(user, { widget: true, acknowledge: {} })
    await ping(heartbeat, '/fail')
    expect((await app.del('/heartbeats/backup', user.token)).status).toBe(204)
    expectProblem(await app.get('/heartbeats/backup', user.token), 404, 'heartbeat.not_found')
    expectProblem(await app.get('/heartbeats/backup/pings', user.token), 404, 'heartbeat.not_found')
    expect((await app.get('/widgets/hb-backup', user.token)).status).toBe(404)
    const { items } = (await app.get('/notifications/receipts', user.token)).body
    expect(items).toMatchObject([{ status: 'canceled', cancel_reason: 'deleted' }])
    expect((await ping(heartbeat)).status).toBe(404)
    app.advanceSeconds(86_400)
    await app.runDueJobs()
    expect(await told(user)).toHaveLength(1)
  })
})

describe('the widget', () => {
  const widget = async () => (await app.get('/widgets/hb-backup', user.token)).body

  test('shows each status, costs no quota, comes back if it was deleted, and goes when it is no longer wanted', async () => {
    const heartbeat = await add(user, { widget: true })
    expect(await widget()).toMatchObject({ name: 'Backup', content: { template: 'status', severity: 'info' } })
    const before = await widget()
    await ping(heartbeat)
    expect((await widget()).content).toMatchObject({ label: 'Up', severity: 'success' })
    // Every change moves it, also within one millisecond.
    expect(Date.parse((await widget()).updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    await app.del('/widgets/hb-backup', user.token)
    await ping(heartbeat, '/fail')
    expect((await widget()).content).toMatchObject({ label: 'Down', severity: 'critical' })
    expect((await app.get('/auth/me', user.token)).body.widget_updates_used).toBe(0)
    await patch({ name: 'Nightly' })
    expect((await widget()).name).toBe('Nightly')
    await app.post('/heartbeats/backup/pause', undefined, user.token)
    expect((await widget()).content).toMatchObject({ label: 'Paused' })
    await app.post('/heartbeats/backup/resume', undefined, user.token)
    expect((await widget()).content).toMatchObject({ label: 'Down' })
    await patch({ widget: false })
    expect((await app.get('/widgets/hb-backup', user.token)).status).toBe(404)
  })

  test('429 widget.limit_exceeded if the account has no room for it', async () => {
    for (let i = 0; i < LIMITS.widget.maxPerAccount; i++) {
      await app.post('/widgets', { slug: `w-${i}`, name: 'W', content: { template: 'value' } }, user.token)
    }
    expectProblem(await put({ widget: true }), 429, 'widget.limit_exceeded')
    await add(user)
    expectProblem(await put({ widget: true }), 429, 'widget.limit_exceeded')
    expectProblem(await patch({ widget: true }), 429, 'widget.limit_exceeded')
  })

  test('that was deleted does not come back while the account has no room for it, and the pings go on', async () => {
    const heartbeat = await add(user, { widget: true })
    await app.del('/widgets/hb-backup', user.token)
    for (let i = 0; i < LIMITS.widget.maxPerAccount; i++) {
      await app.post('/widgets', { slug: `w-${i}`, name: 'W', content: { template: 'status' } }, user.token)
    }
    expect((await ping(heartbeat)).status).toBe(200)
    expect(await statusOf(user)).toBe('up')
    expectProblem(await app.get('/widgets/hb-backup', user.token), 404, 'widget.not_found')
    await app.del('/widgets/w-0', user.token)
    await ping(heartbeat, '/fail')
    expect((await widget()).content).toMatchObject({ label: 'Down' })
  })
})

test('each change of status and of settings is an event', async () => {
  const seen = await openEvents(app.url, user.token)
  const heartbeat = await add(user)
  await ping(heartbeat)
  await ping(heartbeat)
  app.advanceSeconds(3600)
  await app.runDueJobs()
  await ping(heartbeat, '/start')
  await ping(heartbeat, '/1')
  await app.post('/heartbeats/backup/pause', undefined, user.token)
  await app.del('/heartbeats/backup', user.token)
  const ofHeartbeats = () =>
    seen.events
      .filter(({ event }) => event.startsWith('heartbeat.'))
      .map(({ event, data }) => [event, (data.data as { status?: string }).status])
  await eventually(() =>
    expect(ofHeartbeats()).toEqual([
      ['heartbeat.updated', 'new'],
      ['heartbeat.up', 'up'],
      ['heartbeat.late', 'late'],
      ['heartbeat.updated', 'started'],
      ['heartbeat.down', 'down'],
      ['heartbeat.paused', 'paused'],
      ['heartbeat.deleted', undefined],
    ]),
  )
  seen.close()
})
