// Web Push addresses of a registration, update tokens of activities, widget tokens, and the Web Push key.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { deviceId } from '../../../src/domain/devices.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { findPushToken, listPushTokens } from '../../../src/store/devices/push-tokens.ts'
import type { TestUser } from '../../support/app.ts'
import { browser, newPushToken, newWebPush, phone, terminal } from '../../support/devices/devices.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes({ HELIOGRAPH_OUTBOUND_ALLOW: '10.1.0.0/16' })
let user: TestUser
beforeEach(async () => {
  user = await nodes.first.addUser()
})

const register = (id: string, body: unknown, { token } = user) => nodes.first.put(`/devices/${id}`, body, token)

describe('PUT /devices/:device_id with web_push', () => {
  const p256dh = (...bytes: number[]) => Buffer.from([...bytes, ...Buffer.from('s3cret'.repeat(20))])
  test.each<[string, string]>([
    ['keys.p256dh', p256dh(4).subarray(0, 64).toString('base64url')],
    ['keys.p256dh', p256dh(4).subarray(0, 66).toString('base64url')],
    ['keys.p256dh', p256dh(3).subarray(0, 65).toString('base64url')],
    ['keys.p256dh', p256dh(4, 255, 255).subarray(0, 65).toString('base64')],
    ['keys.auth', Buffer.from('s3cret-s3cret-s').toString('base64url')],
    ['keys.auth', Buffer.from('s3cret-s3cret-s3c').toString('base64url')],
    ['keys.auth', ''],
    ['endpoint', 'http://push.example.org/s3cret'],
    ['endpoint', 'https://127.0.0.1/s3cret'],
    ['endpoint', 'https://[::1]/s3cret'],
    ['endpoint', 'https://10.2.0.1/s3cret'],
    ['endpoint', 'https://s3cret@push.example.org/'],
    ['endpoint', 'https://push.example.org/s3cret é'],
    ['endpoint', `https://push.example.org/${'s3cret'.repeat(400)}`],
  ])('422 R33: a bad web_push.%s is refused and not repeated (case %#)', async (member, text) => {
    const webPush = newWebPush()
    const wrong =
      member === 'endpoint'
        ? { ...webPush, endpoint: text }
        : { ...webPush, keys: { ...webPush.keys, [member.slice('keys.'.length)]: text } }
    const refused = await register('d', { ...terminal, web_push: wrong })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual([`body.web_push.${member}`])
    if (text) expect(refused.text).not.toContain(text)
    expect(refused.text).not.toContain('s3cret')
  })

  test('201 R33: an endpoint in a range that the operator allows, and padded keys', async () => {
    const { keys } = newWebPush()
    const padded = { p256dh: `${keys.p256dh}=`, auth: `${keys.auth}==` }
    const webPush = { endpoint: 'https://10.1.2.3:8443/x', keys: padded }
    expect((await register('b', { ...terminal, web_push: webPush })).status).toBe(201)
  })
})

describe('PUT /devices/:device_id/activities/:slug', () => {
  const store = (path: string, body: unknown, token = user.token) => nodes.first.put(`/devices/${path}`, body, token)
  const stored = (slug: string) =>
    findPushToken(nodes.first.app.ctx.db.read, user.userId, deviceId('d'), 'activity', slug)

  test.each(['production', 'sandbox'] as const)(
    '204 stored with the environment of the device, %s',
    async (environment) => {
      await register('d', phone({ environment }))
      nodes.first.advanceSeconds(5)
      const token = newPushToken()
      const answer = await store('d/activities/build', { push_update_token: token })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(await stored('build')).toMatchObject({ token, environment, registeredAt: nodes.first.clock.now() })
      const { items } = (await nodes.first.get('/devices', user.token)).body
      expect(items[0].last_seen_at).toBe(new Date(nodes.first.clock.now()).toISOString())
    },
  )

  test('204 a new token of an activity replaces the previous one; other activities keep theirs', async () => {
    await register('d', phone())
    const [first, second, third] = [newPushToken(), newPushToken(), newPushToken()]
    await store('d/activities/build', { push_update_token: first })
    await store('d/activities/deploy', { push_update_token: second })
    await store('d/activities/build', { push_update_token: third })
    expect([(await stored('build'))?.kind, await stored('build')]).toMatchObject(['activity', { token: third }])
    expect(await stored('deploy')).toMatchObject({ token: second })
  })

  test('204 without an alert token the environment is production', async () => {
    await register('d', browser())
    expect((await store('d/activities/build', { push_update_token: 'x'.repeat(200) })).status).toBe(204)
    expect(await stored('build')).toMatchObject({ environment: 'production' })
  })

  test('204 for concurrent registrations of one activity: one token is left', async () => {
    await register('d', phone())
    const answers = await nodes.atOnce(10, (node) =>
      node.put('/devices/d/activities/build', { push_update_token: newPushToken() }, user.token),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204))
    expect(await listPushTokens(nodes.first.app.ctx.db.read, user.userId, ['activity'])).toHaveLength(1)
  })

  test('400 slug.invalid, 400 request.body_required', async () => {
    expectProblem(await store('d/activities/-x', { push_update_token: 'a' }), 400, 'slug.invalid')
    expectProblem(await store('d/activities/build', undefined), 400, 'request.body_required')
  })

  test('401 token.invalid, 403 integration_key.permission_denied for the default key', async () => {
    const body = { push_update_token: 'a' }
    expectProblem(await nodes.first.put('/devices/d/activities/build', body), 401, 'token.invalid')
    const byKey = await store('d/activities/build', body, user.defaultKey)
    expectProblem(byKey, 403, 'integration_key.permission_denied')
  })

  test('404 device.not_found, also for a device of another account', async () => {
    const other = await nodes.first.addUser()
    await register('d', phone(), other)
    const refused = await store('d/activities/build', { push_update_token: 's3cret' })
    expectProblem(refused, 404, 'device.not_found')
    expect(refused.text).not.toContain('s3cret')
  })

  test.each([{}, { push_update_token: '' }, { push_update_token: 's3cret'.repeat(40) }, { push_update_token: 7 }])(
    '422 request.validation_failed for %j',
    async (body) => {
      await register('d', phone())
      const refused = await store('d/activities/build', body)
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual(['body.push_update_token'])
      expect(refused.text).not.toContain('s3cret')
    },
  )

  test('422 request.validation_failed for a malformed device id', async () => {
    const refused = await store('a%2Fb/activities/build', { push_update_token: 'a' })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['path.device_id'])
  })
})

describe('POST /devices/:device_id/widget-token', () => {
  const issue = (id: string, token = user.token) => nodes.first.post(`/devices/${id}/widget-token`, undefined, token)
  const works = async (token: string) => (await nodes.first.get('/widgets', token)).status === 200

  test('201 a token that can read widgets and nothing else', async () => {
    await register('d', terminal)
    const answer = await issue('d')
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ token: expect.stringMatching(/^hlw_[0-9A-Za-z]{32}$/) })
    expect(await works(answer.body.token)).toBe(true)
    expectProblem(await nodes.first.get('/devices', answer.body.token), 403, 'widget.token_not_permitted')
    expectProblem(await issue('d', answer.body.token), 403, 'widget.token_not_permitted')
  })

  test('201 the previous token of this device is revoked, those of other devices and accounts stay valid', async () => {
    const other = await nodes.first.addUser()
    for (const id of ['d', 'e']) await register(id, terminal)
    await register('d', terminal, other)
    const [previous, otherDevice] = [(await issue('d')).body.token, (await issue('e')).body.token]
    const otherAccount = (await issue('d', other.token)).body.token
    const fresh = (await issue('d')).body.token
    expectProblem(await nodes.first.get('/widgets', previous), 401, 'token.invalid')
    expect(await Promise.all([fresh, otherDevice, otherAccount].map(works))).toEqual([true, true, true])
  })

  test('201 for concurrent calls: one of the tokens is valid', async () => {
    await register('d', terminal)
    const answers = await nodes.atOnce(10, (node) => node.post('/devices/d/widget-token', undefined, user.token))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const working = await Promise.all(answers.map(({ body }) => works(body.token)))
    expect(working.filter(Boolean)).toHaveLength(1)
  })

  test('401 token.invalid, 403 integration_key.permission_denied for the default key', async () => {
    expectProblem(await nodes.first.post('/devices/d/widget-token'), 401, 'token.invalid')
    expectProblem(await issue('d', user.defaultKey), 403, 'integration_key.permission_denied')
  })

  test('404 device.not_found', async () => {
    expectProblem(await issue('d'), 404, 'device.not_found')
  })

  test('422 request.validation_failed for a malformed device id', async () => {
    expectProblem(await issue('d'.repeat(LIMITS.device.maxIdChars + 1)), 422, 'request.validation_failed')
  })
})

describe('GET /web-push/key', () => {
  test('200 the public key, for full-access tokens and keys', async () => {
    const answer = await nodes.first.get('/web-push/key', user.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ public_key: nodes.first.app.ctx.webPushPublicKey })
    const point = Buffer.from(answer.body.public_key, 'base64url')
    expect([point.length, point[0]]).toEqual([65, 4])
    expect((await nodes.first.get('/web-push/key', user.defaultKey)).body).toEqual(answer.body)
  })

  test('200 the same key on every node', async () => {
    const answers = await Promise.all(nodes.all.map((node) => node.get('/web-push/key', user.token)))
    expect(new Set(answers.map(({ body }) => body.public_key)).size).toBe(1)
  })

  test('401 token.invalid, 403 widget.token_not_permitted', async () => {
    expectProblem(await nodes.first.get('/web-push/key'), 401, 'token.invalid')
    const widgetToken = await createToken(nodes.first.app.ctx, user.userId, 'hlw')
    expectProblem(await nodes.first.get('/web-push/key', widgetToken), 403, 'widget.token_not_permitted')
  })
})
