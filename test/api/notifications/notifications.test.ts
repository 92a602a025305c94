// POST /notifications by status, for accounts without devices. Pushes are in deliveries.test.ts, repeated requests in
// idempotency.test.ts; the rules themselves are tested in test/domain.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const plain = { title: 'Disk full', body: 'node-3 has 2 % left' }
const envelope = `pw1.0a1b2c3d.${'A'.repeat(400)}`
const isoNow = () => new Date(app.clock.now()).toISOString()
const send = (members: Record<string, unknown> = {}, token = user.token) =>
  app.post('/notifications', { ...plain, ...members }, token)
const inbox = async () => (await app.get('/notifications', user.token)).body.items

async function expectRefused(members: Record<string, unknown>, status: number, code: string, where: string[] = []) {
  const refused = await send(members)
  expectProblem(refused, status, code)
  if (where.length > 0) expect(locations(refused).sort()).toEqual(where.sort())
  expect(await inbox()).toEqual([])
}

describe('POST /notifications', () => {
  test('201 keeps the format of the text, also through a schedule; 422 for another one', async () => {
    const { status, body } = await send({ body: 'All **green**', format: 'markdown' })
    expect([status, body.format, body.body]).toEqual([201, 'markdown', 'All **green**'])
    const send_at = new Date(app.clock.now() + 60_000).toISOString()
    const planned = { ...plain, format: 'markdown', send_at }
    expect((await app.post('/notifications/scheduled', planned, user.token)).body.format).toBe('markdown')
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect(await inbox()).toMatchObject([{ format: 'markdown' }, { format: 'markdown' }])
    expectProblem(await send({ format: 'html' }), 422, 'request.validation_failed')
  })

  test('201 stored and returned as it is in the inbox, plus the delivery', async () => {
    const { status, body } = await send()
    expect(status).toBe(201)
    const shown = { id: body.id, ...plain, level: 'active', pushed: true, created_at: isoNow() }
    expect(body).toEqual({ ...shown, delivery: 'none', reason: 'no_apns_token' })
    expect(body.id).toBeGreaterThan(0)
    expect((await app.get(`/notifications/${body.id}`, user.token)).body).toEqual(shown)
  })

  test('201 returns every member but collapse_id, volume and empty text', async () => {
    const kept = {
      subtitle: 'Storage',
      level: 'critical',
      thread_id: 'disks',
      source: 'monitor',
      source_display_name: 'Monitoring',
      url: 'https://example.org/disks',
      icon_url: 'http://example.org/icon.png',
      metadata: { node: '3', größe: '2 %' },
    }
    const actions = [{ id: 'open', title: 'Open', url: 'myapp://disks', foreground: true }]
    const { status, body } = await send({
      ...kept,
      media: { url: 'https://example.org/graph.png', type: 'image' },
      actions: [...actions, { id: 'call', title: 'Call', url: 'https://example.org/call', method: 'post', icon: '' }],
      volume: 0.5,
      collapse_id: '😀'.repeat(64),
      activity_slug: '',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...plain,
      ...kept,
      media_url: 'https://example.org/graph.png',
      media_type: 'image',
      actions: [...actions, { id: 'call', title: 'Call', url: 'https://example.org/call', method: 'POST' }],
      id: body.id,
      pushed: true,
      created_at: isoNow(),
      delivery: 'none',
      reason: 'no_apns_token',
    })
  })

  test('201 push false: inbox only', async () => {
    expect((await send({ push: false })).body).toMatchObject({
      pushed: false,
      delivery: 'none',
      reason: 'push_disabled',
    })
    expect(await inbox()).toHaveLength(1)
  })

  test('201 answerable when an action has no url, and only then', async () => {
    expect((await send({ actions: [{ id: 'ok', title: 'OK' }] })).body.answerable).toBe(true)
    expect((await send({ actions: null })).body).not.toHaveProperty('answerable')
    const calling = { id: 'ok', title: 'OK', url: 'https://example.org' }
    expect((await send({ actions: [calling] })).body).not.toHaveProperty('answerable')
  })

  test('201 encrypted: with placeholders, and the envelope is stored and returned', async () => {
    const { body } = await app.post('/notifications', { encrypted: envelope }, user.token)
    const shown = { title: 'Encrypted notification', body: 'End-to-end encrypted.', encrypted: envelope }
    expect(body).toMatchObject(shown)
    expect(await inbox()).toMatchObject([shown])
  })

  test('201 text of the maximum length, counted in characters', async () => {
    const longest = { title: '😀'.repeat(LIMITS.notification.maxTitleChars), body: '😀'.repeat(4096) }
    expect((await send(longest)).body).toMatchObject(longest)
  })

  test('201 collapse_id replaces only on devices: the inbox keeps every notification', async () => {
    for (const body of ['one', 'two']) await send({ body, collapse_id: 'disk' })
    expect(await inbox()).toMatchObject([{ body: 'two' }, { body: 'one' }])
  })

  test('201 by a key with level send, for the inbox of its account', async () => {
    const key = await app.addKey(user, { permissions: { notifications: 'send' } })
    expect((await send({}, key)).status).toBe(201)
    expect(await inbox()).toHaveLength(1)
    expect((await app.get('/notifications', (await app.addUser()).token)).body.items).toEqual([])
  })

  test('400 request.body_required, request.body_invalid', async () => {
    expectProblem(await app.post('/notifications', undefined, user.token), 400, 'request.body_required')
    const malformed = await app.call('POST', '/notifications', { token: user.token, raw: '{"title":' })
    expectProblem(malformed, 400, 'request.body_invalid')
  })

  test.each(['"__proto__"', '"\\u005f_proto__"', '"constructor"', '"prototype"'])(
    '400 R38: %s as a key of metadata or action headers, and no prototype is modified',
    async (key) => {
      const before = Object.getOwnPropertyNames(Object.prototype)
      for (const raw of [
        `{"title":"a","body":"b","metadata":{${key}:"x"}}`,
        `{"title":"a","body":"b","actions":[{"id":"a","title":"A","url":"https://a.b","headers":{${key}:"x"}}]}`,
        `{"title":"a","body":"b",${key}:{"polluted":true}}`,
      ]) {
        const refused = await app.call('POST', '/notifications', { token: user.token, raw })
        expectProblem(refused, 400, 'request.body_invalid')
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
      expect(await inbox()).toEqual([])
    },
  )

  const action = { id: 'a', title: 'A' }
  test.each<[string, Record<string, unknown>, string]>([
    ['media without https', { media: { url: 'http://a.b/c.png', type: 'image' } }, 'body.media.url'],
    ['a script as url', { url: ' JavaScript:alert(1)' }, 'body.url'],
    ['a script as an action', { actions: [{ ...action, url: 'data:text/html,x' }] }, 'body.actions[0].url'],
    ['an icon of another scheme', { icon_url: 'ftp://a.b/c.png' }, 'body.icon_url'],
    ['the same action id twice', { actions: [action, action] }, 'body.actions[1].id'],
    ['the reserved id pw_ack', { actions: [{ ...action, id: 'pw_ack' }] }, 'body.actions[0].id'],
    ['9 KB of metadata', { metadata: { a: 'x'.repeat(4096), b: 'x'.repeat(4096) } }, 'body.metadata'],
    [
      'text_input on an action that opens the app',
      { actions: [{ ...action, text_input: true, foreground: true }] },
      'body.actions[0].text_input',
    ],
    ['tags without acknowledge', { tags: ['home'] }, 'body.tags'],
    ['callback_url without acknowledge', { callback_url: 'https://a.b' }, 'body.callback_url'],
  ])('400 notification.invalid for %s', (_what, members, where) =>
    expectRefused(members, 400, 'notification.invalid', [where]),
  )

  test('400 notification.invalid for text next to an envelope, and for a malformed envelope', async () => {
    await expectRefused({ encrypted: envelope }, 400, 'notification.invalid', ['body.title', 'body.body'])
    const malformed = await app.post('/notifications', { encrypted: `pw1.${'A'.repeat(60)}` }, user.token)
    expectProblem(malformed, 400, 'notification.invalid')
    expect(locations(malformed)).toEqual(['body.encrypted'])
  })

  test('401 token.invalid, integration_key.expired', async () => {
    expectProblem(await app.post('/notifications', plain), 401, 'token.invalid')
    const expiresAt = new Date(app.clock.now() + 60_000).toISOString()
    const key = await app.addKey(user, { permissions: { notifications: 'send' }, expires_at: expiresAt })
    app.advanceSeconds(60)
    expectProblem(await send({}, key), 401, 'integration_key.expired')
  })

  test('403 integration_key.permission_denied, before the body is parsed', async () => {
    const key = await app.addKey(user, { permissions: { widgets: 'write' } })
    const refused = await app.call('POST', '/notifications', { token: key, raw: '{' })
    expectProblem(refused, 403, 'integration_key.permission_denied')
    expect(refused.body.detail).toContain('notifications:send')
    const widgetToken = await createToken(app.app.ctx, user.userId, 'hlw')
    expectProblem(await send({}, widgetToken), 403, 'widget.token_not_permitted')
  })

  test('403 an activity_slug requires access to activities, and to this one', async () => {
    const none = await app.addKey(user, { permissions: { notifications: 'send' } })
    expectProblem(await send({ activity_slug: 'build' }, none), 403, 'integration_key.permission_denied')
    const permissions = { notifications: 'send', activities: 'read' }
    const other = await app.addKey(user, { permissions, activity_slugs: ['ci-*'] })
    expectProblem(await send({ activity_slug: 'build' }, other), 403, 'integration_key.slug_invalid')
  })

  test('413 request.too_large, 415 request.media_type_unsupported', async () => {
    const large = JSON.stringify({ ...plain, source: 'x'.repeat(LIMITS.request.maxBodyBytes) })
    const token = user.token
    expectProblem(await app.call('POST', '/notifications', { token, raw: large }), 413, 'request.too_large')
    const headers = { 'content-type': 'text/plain' }
    const text = await app.call('POST', '/notifications', { token, raw: '{}', headers })
    expectProblem(text, 415, 'request.media_type_unsupported')
  })

  test('422 request.validation_failed lists every violation', () =>
    expectRefused(
      {
        title: 'x'.repeat(257),
        body: 'x'.repeat(4097),
        subtitle: 5,
        level: 'urgent',
        volume: 1.1,
        collapse_id: 'x'.repeat(65),
        media: { url: 'https://a.b', type: 'film' },
        actions: [{ title: 'A' }, { ...action, color: 'red' }],
        metadata: { a: 1 },
        activity_slug: '-x',
        encrypted: 'x'.repeat(3073),
        user_id: 'someone',
      },
      422,
      'request.validation_failed',
      [
        'body.title',
        'body.body',
        'body.subtitle',
        'body.level',
        'body.volume',
        'body.collapse_id',
        'body.media.type',
        'body.actions[0].id',
        'body.actions[1].color',
        'body.metadata.a',
        'body.activity_slug',
        'body.encrypted',
        'body.user_id',
      ],
    ))

  test('422 for a missing or empty title or body', () =>
    expectRefused({ title: '', body: undefined }, 422, 'request.validation_failed', ['body.title', 'body.body']))

  test('422 for more than ten actions, U+0000 and unpaired surrogates', async () => {
    const eleven = Array.from({ length: 11 }, (_, index) => ({ id: `a${index}`, title: 'A' }))
    await expectRefused({ actions: eleven }, 422, 'request.validation_failed', ['body.actions'])
    await expectRefused({ title: 'a\u0000b' }, 422, 'request.validation_failed')
    await expectRefused({ metadata: { a: '\ud800' } }, 422, 'request.validation_failed')
  })

  test('422 notification.encrypted_too_large when the envelope and the other members do not fit into a push', async () => {
    const members = { encrypted: `pw1.0a1b2c3d.${'A'.repeat(3056)}`, metadata: { a: 'x'.repeat(2000) } }
    const refused = await app.post('/notifications', members, user.token)
    expectProblem(refused, 422, 'notification.encrypted_too_large')
    expect(await inbox()).toEqual([])
  })

  test('422 for an unknown activity, and for a target', async () => {
    await expectRefused({ activity_slug: 'build' }, 422, 'notification.activity_not_found')
    await expectRefused({ target: { groups: ['ops'] } }, 422, 'org.target_unavailable')
  })

  test('422 notification.answer_url_unavailable when the operator has switched answers off', async () => {
    const silent = await startTestApp({ HELIOGRAPH_ANSWERS: 'off' })
    const { token } = await silent.addUser()
    const refused = await silent.post('/notifications', { ...plain, actions: [action] }, token)
    const calling = { ...action, url: 'https://example.org' }
    const taken = await silent.post('/notifications', { ...plain, actions: [calling] }, token)
    await silent.stop()
    expectProblem(refused, 422, 'notification.answer_url_unavailable')
    expect(taken.status).toBe(201)
  })
})
