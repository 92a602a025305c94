// Creating schedules: what is accepted, what is refused with which message, and dry runs.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { fromRfc3339 } from '../../../src/domain/instant.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { setUsed } from '../../support/usage.ts'

const app = useTestApp()
const plain = { title: 'Backup', body: 'Change the tape' }
const DAILY = { cron: '0 9 * * *', timezone: 'Europe/Berlin' }

const inSeconds = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()
const plan = ({ token }: { token: string }, members: Record<string, unknown>, query = '') =>
  app.post(`/notifications/scheduled${query}`, { ...plain, ...members }, token)
const repeat = (user: { token: string }, recurrence: Record<string, unknown>, members = {}) =>
  plan(user, { recurrence: { ...DAILY, ...recurrence }, ...members })
const pending = async ({ token }: TestUser) => (await app.get('/notifications/scheduled', token)).body.items
const used = async ({ token }: TestUser) => (await app.get('/auth/me', token)).body.notifications_used

describe('POST /notifications/scheduled', () => {
  test('201 returns the request with its id, status and times', async () => {
    const user = await app.addUser()
    const request = {
      level: 'critical',
      volume: 0.5,
      collapse_id: 'tape',
      media: { url: 'https://example.org/tape.png', type: 'image' },
      actions: [{ id: 'done', title: 'Done', method: 'post', url: 'https://example.org/done' }],
      metadata: { rack: '3' },
      push: true,
    }
    const { status, body } = await plan(user, { ...request, send_at: '2026-11-15T10:30:00.5+01:00' })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...plain,
      ...request,
      id: expect.any(Number),
      status: 'scheduled',
      send_at: '2026-11-15T09:30:00.500Z',
      created_at: inSeconds(0),
    })
    expect((await app.get(`/notifications/scheduled/${body.id}`, user.token)).body).toEqual(body)
    expect(await used(user)).toBe(0)
  })

  test('201 a series is due at its first match at or after send_at', async () => {
    const user = await app.addUser()
    const next = await repeat(user, {}, { send_at: '2026-11-15T08:00:01Z' })
    expect(next.body).toMatchObject({ send_at: '2026-11-16T08:00:00.000Z', recurrence: DAILY, occurrence: 0 })
    expect(next.body).not.toHaveProperty('last_sent_at')
    const at = await repeat(user, {}, { send_at: '2026-11-20T08:00:00Z' })
    expect(at.body.send_at).toBe('2026-11-20T08:00:00.000Z')
    const after = await repeat(user, {}, { send_at: '2026-11-20T08:00:00.001Z' })
    expect(after.body.send_at).toBe('2026-11-21T08:00:00.000Z')
  })

  test('201 the current time counts as a match, and until is inclusive', async () => {
    const { body } = await repeat(await app.addUser(), {
      cron: '0 8 * * *',
      timezone: 'UTC',
      until: '2026-11-15T08:00:00Z',
    })
    expect(body.send_at).toBe(inSeconds(0))
  })

  test('201 365 days ahead, and with every short form of cron', async () => {
    const user = await app.addUser()
    expect((await plan(user, { send_at: inSeconds(365 * 86_400) })).status).toBe(201)
    for (const cron of ['@hourly', '@daily', '@weekly', '@monthly', '@yearly']) {
      expect((await repeat(user, { cron })).status, cron).toBe(201)
    }
  })

  test('400 scheduled_notification.invalid without a time, in the past, now, or more than 365 days ahead', async () => {
    const user = await app.addUser()
    for (const members of [{}, { send_at: inSeconds(-1) }, { send_at: inSeconds(0) }]) {
      const refused = await plan(user, members)
      expectProblem(refused, 400, 'scheduled_notification.invalid')
      expect(locations(refused)).toEqual(['body.send_at'])
    }
    const far = await plan(user, { send_at: inSeconds(365 * 86_400 + 1) })
    expectProblem(far, 400, 'scheduled_notification.invalid')
    expect(far.body.detail).toBe('body.send_at must be at most 365 days ahead.')
    expectProblem(await repeat(user, {}, { send_at: inSeconds(-1) }), 400, 'scheduled_notification.invalid')
    expect(await pending(user)).toEqual([])
  })

  test.each([
    ['* * * * *', /would send at 00:00 and again at 00:01; sends must be at least 15 minutes apart/],
    ['0,10 9 * * *', /would send at 09:00 and again at 09:10/],
    ['5,55 0,23 * * 1,2', /would send at 23:55 and again at 00:05/],
    ['0 0 30 2 *', /never comes/],
    ['61 * * * *', /cannot be read/],
    ['0 9 * *', /must have five fields/],
    ['0 0 9 * * *', /must have five fields/],
    ['0 9 L * *', /must have five fields/],
    ['@reboot', /must have five fields/],
  ])('400 for the cron %s, with an explanation', async (cron, words) => {
    const refused = await repeat(await app.addUser(), { cron })
    expectProblem(refused, 400, 'scheduled_notification.invalid')
    expect(refused.body.errors).toEqual([
      { location: 'body.recurrence.cron', message: expect.stringMatching(words), value: cron },
    ])
  })

  test.each(['Europe/Nowhere', '+02:00', 'CEST'])('400 for the time zone %s', async (timezone) => {
    const refused = await repeat(await app.addUser(), { timezone })
    expectProblem(refused, 400, 'scheduled_notification.invalid')
    expect(locations(refused)).toEqual(['body.recurrence.timezone'])
  })

  test('400 for until and count together, and for until before the first send', async () => {
    const user = await app.addUser()
    const both = await repeat(user, { until: inSeconds(864_000), count: 3 })
    expectProblem(both, 400, 'scheduled_notification.invalid')
    const early = await repeat(user, { cron: '30 9 * * *', until: '2026-11-15T08:29:59Z' })
    expectProblem(early, 400, 'scheduled_notification.invalid')
    expect(early.body.detail).toBe('body.recurrence.until is before the first send.')
  })

  test('400 notification.invalid and 422 as for an immediate notification', async () => {
    const user = await app.addUser()
    const later = { send_at: inSeconds(60) }
    expectProblem(await plan(user, { ...later, url: 'javascript:x' }), 400, 'notification.invalid')
    expectProblem(await plan(user, { ...later, level: 'loud' }), 422, 'request.validation_failed')
    expectProblem(await plan(user, { ...later, body: '' }), 422, 'request.validation_failed')
    expectProblem(await plan(user, { ...later, activity_slug: 'gone' }), 422, 'notification.activity_not_found')
    expect(await pending(user)).toEqual([])
  })

  test('403 integration_key.permission_denied for a key with send', async () => {
    const key = await app.addKey(await app.addUser(), { permissions: { notifications: 'send' } })
    const refused = await plan({ token: key }, { send_at: inSeconds(60) })
    expectProblem(refused, 403, 'integration_key.permission_denied')
    expect(refused.body.detail).toContain('notifications:schedule')
  })

  test('409 for the 26th pending one; canceling frees a place, and a series takes one', async () => {
    const user = await app.addUser()
    const series = await repeat(user, {})
    for (let count = 1; count < LIMITS.schedule.maxPending; count++) await plan(user, { send_at: inSeconds(3600) })
    const refused = await plan(user, { send_at: inSeconds(60) })
    expectProblem(refused, 409, 'scheduled_notification.limit_exceeded')
    await app.del(`/notifications/scheduled/${series.body.id}`, user.token)
    expect((await plan(user, { send_at: inSeconds(60) })).status).toBe(201)
  })

  test('422 for a malformed time, unknown members, and counts out of range', async () => {
    const user = await app.addUser()
    expect(locations(await plan(user, { send_at: 'tomorrow' }))).toEqual(['body.send_at'])
    expect(locations(await repeat(user, { count: 0 }))).toEqual(['body.recurrence.count'])
    expect(locations(await repeat(user, { count: 1001 }))).toEqual(['body.recurrence.count'])
    expect(locations(await repeat(user, { timezone: undefined }))).toEqual(['body.recurrence.timezone'])
    expect(locations(await repeat(user, { seconds: 1 }))).toEqual(['body.recurrence.seconds'])
    expectProblem(await repeat(user, { cron: '0'.repeat(129) }), 422, 'request.validation_failed')
  })

  test('429 quota.exceeded when no quota is left; push false is not affected', async () => {
    const user = await app.addUser('free')
    await setUsed(app, user, 'notifications', 500)
    const refused = await plan(user, { send_at: inSeconds(60) })
    expectProblem(refused, 429, 'quota.exceeded')
    expect(refused.body).toMatchObject({ kind: 'notifications', reset_at: '2026-12-01T00:00:00.000Z' })
    expect((await plan(user, { send_at: inSeconds(60), push: false })).status).toBe(201)
  })
})

describe('POST /notifications/scheduled with an Idempotency-Key', () => {
  const once = (user: TestUser, members: Record<string, unknown>) =>
    app.call('POST', '/notifications/scheduled', {
      token: user.token,
      body: { ...plain, ...members },
      headers: { 'idempotency-key': 'one' },
    })

  test('201 the stored answer again; there is one schedule', async () => {
    const user = await app.addUser()
    const members = { send_at: inSeconds(600) }
    const [first, again] = [await once(user, members), await once(user, members)]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(await pending(user)).toHaveLength(1)
  })

  test('422 idempotency.key_reused for another body; 422 for an invalid key', async () => {
    const user = await app.addUser()
    await once(user, { send_at: inSeconds(600) })
    expectProblem(await once(user, { send_at: inSeconds(601) }), 422, 'idempotency.key_reused')
    const headers = { 'idempotency-key': '' }
    const body = { ...plain, send_at: inSeconds(60) }
    const refused = await app.call('POST', '/notifications/scheduled', { token: user.token, body, headers })
    expectProblem(refused, 422, 'request.validation_failed')
  })
})

describe('POST /notifications/scheduled?dry_run=true', () => {
  test('200 the next ten send times, the pushes and the quota; nothing is stored', async () => {
    app.clock.set(fromRfc3339('2027-03-26T12:00:00Z'))
    const user = await app.addUser('free')
    const { status, body } = await plan(user, { recurrence: DAILY }, '?dry_run=true')
    expect([status, body.valid]).toEqual([200, true])
    expect(body.would).toMatchObject({
      action: 'scheduled',
      resource: { ...plain, recurrence: DAILY, status: 'scheduled' },
      quota: { kind: 'notifications', cost: 1, used: 0, limit: 500 },
      pushes: [
        { channel: 'apns', payload: { aps: { alert: plain } } },
        { channel: 'web_push', payload: plain },
      ],
    })
    // Daylight saving time starts on the 28th.
    expect(body.would.send_times).toHaveLength(10)
    expect(body.would.send_times.slice(0, 3)).toEqual([
      '2027-03-27T08:00:00.000Z',
      '2027-03-28T07:00:00.000Z',
      '2027-03-29T07:00:00.000Z',
    ])
    expect(await pending(user)).toEqual([])
  })

  test('200 has the pushes of an immediate notification, with its collapse_id, also with a receipt', async () => {
    const user = await app.addUser()
    const tagOf = ({ body }: { body: { would: { pushes: { payload: { tag?: string } }[] } } }) =>
      body.would.pushes[1]?.payload.tag
    const sentNow = await app.post('/notifications?dry_run=true', { ...plain, collapse_id: 'db' }, user.token)
    const scheduled = { send_at: inSeconds(60), collapse_id: 'db' }
    const tags = [
      tagOf(await plan(user, scheduled, '?dry_run=true')),
      tagOf(await plan(user, { ...scheduled, acknowledge: {} }, '?dry_run=true')),
    ]
    expect(tagOf(sentNow)).toEqual(expect.any(String))
    expect(tags).toEqual([tagOf(sentNow), tagOf(sentNow)])
    const { collapse_id: _, ...bare } = scheduled
    expect(tagOf(await plan(user, bare, '?dry_run=true'))).toBeUndefined()
    expect(tagOf(await plan(user, { ...bare, acknowledge: {} }, '?dry_run=true'))).toEqual(expect.any(String))
  })

  test('200 no more send times than the series has, and one for a single send', async () => {
    const user = await app.addUser()
    const times = async (members: object) =>
      (await plan(user, { ...members }, '?dry_run=true')).body.would.send_times.length
    expect(await times({ recurrence: { ...DAILY, count: 3 } })).toBe(3)
    expect(await times({ recurrence: { ...DAILY, until: inSeconds(5 * 86_400) } })).toBe(5)
    expect(await times({ send_at: inSeconds(60) })).toBe(1)
  })

  test('400 and 409 as without a dry run', async () => {
    const user = await app.addUser()
    expectProblem(await plan(user, {}, '?dry_run=true'), 400, 'scheduled_notification.invalid')
    for (let count = 0; count < LIMITS.schedule.maxPending; count++) await plan(user, { send_at: inSeconds(60) })
    const refused = await plan(user, { send_at: inSeconds(60) }, '?dry_run=true')
    expectProblem(refused, 409, 'scheduled_notification.limit_exceeded')
  })
})
