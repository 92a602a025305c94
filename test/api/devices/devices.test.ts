// Devices by endpoint. Web Push addresses and later tokens are in device-tokens.test.ts, renaming in
// device-names.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { deviceId, type PushTokenKind } from '../../../src/domain/devices.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { recordPush } from '../../../src/store/devices/devices.ts'
import { listPushTokens } from '../../../src/store/devices/push-tokens.ts'
import type { TestUser } from '../../support/app.ts'
import { browser, newPushToken, newWebPush, phone, terminal } from '../../support/devices/devices.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()
let user: TestUser
let other: TestUser
beforeEach(async () => {
  user = await nodes.first.addUser()
  other = await nodes.first.addUser()
})

const register = (id: string, body: unknown, { token } = user) => nodes.first.put(`/devices/${id}`, body, token)
const devices = async ({ token } = user) => (await nodes.first.get('/devices', token)).body.items
const channels = async (owner = user) => (await devices(owner)).map((device: { channel: string }) => device.channel)
const remove = (id: string, token = user.token) => nodes.first.del(`/devices/${id}`, token)
const isoNow = () => new Date(nodes.first.clock.now()).toISOString()

const KINDS: PushTokenKind[] = ['alert', 'push_to_start', 'widget', 'activity', 'web_push']
const kindsOf = async (owner: TestUser) =>
  (await listPushTokens(nodes.first.app.ctx.db.read, owner.userId, KINDS)).map(({ kind }) => kind)

describe('PUT /devices/:device_id', () => {
  test('201 a new device, returned without its tokens', async () => {
    const body = { ...phone({ push_to_start_token: newPushToken() }), tags: ['home', 'ada', 'home'] }
    const answer = await register('d 1-é', body)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: 'd 1-é',
      name: 'Phone',
      platform: 'ios',
      channel: 'apns',
      tags: ['home', 'ada'],
      created_at: isoNow(),
      last_seen_at: isoNow(),
    })
    expect(await devices()).toEqual([answer.body])
    expect(await kindsOf(user)).toEqual(['alert', 'push_to_start'])
  })

  test('201 a browser, and a device that only listens to the event stream', async () => {
    expect((await register('b', browser())).body).toMatchObject({ id: 'b', channel: 'web_push', tags: [] })
    expect((await register('t', terminal)).body).toMatchObject({ id: 't', channel: 'stream' })
  })

  test('201 two accounts may have devices of the same id', async () => {
    expect((await register('same', terminal)).status).toBe(201)
    expect((await register('same', phone(), other)).status).toBe(201)
    expect(await channels()).toEqual(['stream'])
  })

  test('201 an id of 128 characters, tokens of 32 to 400', async () => {
    const answer = await register('😀'.repeat(LIMITS.device.maxIdChars), phone({ device_token: 'a'.repeat(400) }))
    expect(answer.status).toBe(201)
    expect((await register('short', phone({ device_token: newPushToken().slice(0, 32) }))).status).toBe(201)
  })

  test('200 a refresh replaces everything but created_at', async () => {
    const { created_at } = (await register('d', { ...phone(), tags: ['home'] })).body
    nodes.first.advanceSeconds(90)
    const answer = await register('d', { ...browser(), name: 'Renamed' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: 'd',
      name: 'Renamed',
      platform: 'web',
      channel: 'web_push',
      tags: [],
      created_at,
      last_seen_at: isoNow(),
    })
    expect(await kindsOf(user)).toEqual(['web_push'])
  })

  test('200 tokens left out of a refresh are deleted, those of activities are kept', async () => {
    await register('d', phone({ push_to_start_token: newPushToken(), widget_push_token: newPushToken() }))
    await nodes.first.put('/devices/d/activities/build', { push_update_token: newPushToken() }, user.token)
    expect(await kindsOf(user)).toEqual(['activity', 'alert', 'push_to_start', 'widget'])
    await register('d', phone())
    expect(await kindsOf(user)).toEqual(['activity', 'alert'])
    expect((await register('d', terminal)).body.channel).toBe('stream')
    expect(await kindsOf(user)).toEqual(['activity'])
  })

  test('201 a token held by another device of the account moves here', async () => {
    const body = phone({ widget_push_token: newPushToken() })
    await register('old', body)
    nodes.first.advanceSeconds(1)
    expect((await register('new', body)).status).toBe(201)
    expect(await channels()).toEqual(['stream', 'apns'])
    expect(await kindsOf(user)).toEqual(['alert', 'widget'])
  })

  test.each([phone(), browser()])('201 an address held by a device of another account moves here', async (body) => {
    await register('d', body, other)
    expect((await register('d', body)).status).toBe(201)
    expect(await channels(other)).toEqual(['stream'])
    expect(await kindsOf(other)).toEqual([])
    expect(await kindsOf(user)).toHaveLength(1)
  })

  test('201 concurrent registrations of one token: all devices are registered and one has the token', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => nodes.first.addUser()))
    const body = phone()
    const answers = await nodes.atOnce(24, (node, index) =>
      node.put(`/devices/d${index}`, body, users[index % users.length]?.token),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect((await Promise.all(users.map(kindsOf))).flat()).toEqual(['alert'])
  })

  test('400 request.body_required', async () => {
    expectProblem(await register('d', undefined), 400, 'request.body_required')
  })

  test('401 token.invalid', async () => {
    expectProblem(await nodes.first.put('/devices/d', terminal), 401, 'token.invalid')
  })

  test('403 for the default key and for a widget token', async () => {
    const byKey = await nodes.first.put('/devices/d', terminal, user.defaultKey)
    expectProblem(byKey, 403, 'integration_key.permission_denied')
    const widgetToken = await createToken(nodes.first.app.ctx, user.userId, 'hlw')
    expectProblem(await nodes.first.put('/devices/d', terminal, widgetToken), 403, 'widget.token_not_permitted')
    expect(await devices()).toEqual([])
  })

  test.each(['free', 'paid'] as const)('409 device.limit_exceeded above the limit of the %s plan', async (plan) => {
    const owner = await nodes.first.addUser(plan)
    for (let count = 0; count < LIMITS.device.maxPerAccount[plan]; count++) {
      expect((await register(`d${count}`, terminal, owner)).status).toBe(201)
    }
    const body = phone()
    await register('d', body, other)
    expectProblem(await register('one-more', body, owner), 409, 'device.limit_exceeded')
    expect(await channels(other)).toEqual(['apns'])
    expect((await register('d0', phone(), owner)).status).toBe(200)
    await remove('d1', owner.token)
    expect((await register('one-more', body, owner)).status).toBe(201)
  })

  test.each(['free', 'paid'] as const)(
    '409 of concurrent registrations, as many as the %s plan allows succeed',
    async (plan) => {
      const owner = await nodes.first.addUser(plan)
      const answers = await nodes.atOnce(20, (node, index) => node.put(`/devices/d${index}`, phone(), owner.token))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.device.maxPerAccount[plan])
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(20 - LIMITS.device.maxPerAccount[plan])
      expect(await devices(owner)).toHaveLength(LIMITS.device.maxPerAccount[plan])
    },
  )

  test('200 concurrent refreshes of one device leave one device with one token', async () => {
    const answers = await nodes.atOnce(10, (node) => node.put('/devices/d', phone(), user.token))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(await kindsOf(user)).toEqual(['alert'])
  })

  test.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: '😀'.repeat(65) }],
    ['platform', { platform: 'windows' }],
    ['tags', { tags: Array(11).fill('x') }],
    ['tags[1]', { tags: ['x', ' '] }],
    ['id', { id: 'x' }],
    ['channel', { channel: 'stream' }],
    ['apns', { apns: null }],
    ['apns.device_token', { apns: { environment: 'production' } }],
    ['apns.device_token', { apns: { environment: 'production', device_token: '' } }],
    ['apns.device_token', { apns: { environment: 'production', device_token: 's3cret'.repeat(70) } }],
    ['apns.device_token', { apns: { environment: 'production', device_token: 's3cret s3cret' } }],
    ['apns.environment', { apns: { environment: 'development', device_token: 's3cret' } }],
    ['apns.push_to_start_token', { apns: { ...phone().apns, push_to_start_token: 's3cret\n' } }],
    ['apns.widget_push_token', { apns: { ...phone().apns, widget_push_token: 's3cretß' } }],
    ['web_push', { apns: { ...phone().apns, device_token: 's3cret' }, web_push: newWebPush() }],
    ['web_push.keys', { web_push: { endpoint: 'https://push.example.org/s3cret' } }],
  ])('422 request.validation_failed at %s (case %#)', async (location, wrong) => {
    const refused = await register('d', { ...terminal, ...wrong })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual([`body.${location}`])
    expect(refused.text).not.toContain('s3cret')
    expect(await devices()).toEqual([])
  })

  test.each(['', 'a'.repeat(129), 'a%2Fb', 'a%00', 'a%0A', 'a%E2%80%A8', 'a%7F'])('422 for the id "%s"', async (id) => {
    const refused = await register(id, terminal)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['path.device_id'])
  })
})

describe('GET /devices', () => {
  test('200 the devices of the account, oldest first, with their last push and without secrets', async () => {
    const [mine, browsers] = [phone({ push_to_start_token: newPushToken() }), browser()]
    await register('z', mine)
    nodes.first.advanceSeconds(1)
    await register('a', browsers)
    await register('theirs', phone(), other)
    const at = nodes.first.clock.now()
    const push = { at, error: 'push service answered 410' }
    await nodes.first.app.ctx.db.transact((tx) => recordPush(tx, user.userId, deviceId('a'), push))

    const answer = await nodes.first.get('/devices', user.token)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['items'])
    expect(answer.body.items).toMatchObject([{ id: 'z' }, { id: 'a' }])
    expect(answer.body.items[0]).not.toHaveProperty('last_push_at')
    expect(answer.body.items[0]).not.toHaveProperty('last_push_error')
    expect(answer.body.items[1]).toMatchObject({ last_push_at: isoNow(), last_push_error: push.error })
    const { apns, web_push: webPush } = { ...mine, ...browsers }
    const secrets = [apns?.device_token, apns?.push_to_start_token, webPush?.endpoint, webPush?.keys.p256dh]
    for (const secret of [...secrets, webPush?.keys.auth]) expect(answer.text).not.toContain(secret as string)
  })

  test('200 an empty list', async () => {
    expect((await nodes.first.get('/devices', user.token)).body).toEqual({ items: [] })
  })

  test('401 token.invalid, 403 integration_key.permission_denied for the default key', async () => {
    expectProblem(await nodes.first.get('/devices'), 401, 'token.invalid')
    expectProblem(await nodes.first.get('/devices', user.defaultKey), 403, 'integration_key.permission_denied')
  })
})

describe('DELETE /devices/:device_id', () => {
  test('204 the device and its tokens are deleted, those of others are kept', async () => {
    await register('d', phone({ push_to_start_token: newPushToken() }))
    await register('d', phone(), other)
    await register('e', browser())
    const answer = await remove('d')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await devices()).toMatchObject([{ id: 'e' }])
    expect(await kindsOf(user)).toEqual(['web_push'])
    expect(await kindsOf(other)).toEqual(['alert'])
  })

  test('204 its widget token is revoked; the full-access token and other widget tokens stay valid', async () => {
    const widgetTokenOf = async (id: string) => {
      await register(id, terminal)
      return (await nodes.first.post(`/devices/${id}/widget-token`, undefined, user.token)).body.token
    }
    const [gone, kept] = [await widgetTokenOf('d'), await widgetTokenOf('e')]
    await remove('d')
    expectProblem(await nodes.first.get('/widgets', gone), 401, 'token.invalid')
    expect((await nodes.first.get('/widgets', kept)).status).toBe(200)
    expect((await nodes.first.get('/devices', user.token)).status).toBe(200)
  })

  test('401 token.invalid, 403 integration_key.permission_denied for the default key', async () => {
    await register('d', terminal)
    expectProblem(await nodes.first.del('/devices/d'), 401, 'token.invalid')
    expectProblem(await remove('d', user.defaultKey), 403, 'integration_key.permission_denied')
    expect(await devices()).toHaveLength(1)
  })

  test('404 device.not_found for an unknown device, a deleted one and one of another account', async () => {
    expectProblem(await remove('d'), 404, 'device.not_found')
    await register('d', terminal, other)
    expectProblem(await remove('d'), 404, 'device.not_found')
    await remove('d', other.token)
    expectProblem(await remove('d', other.token), 404, 'device.not_found')
  })

  test('422 request.validation_failed for a malformed device id', async () => {
    expectProblem(await remove('a%2Fb'), 422, 'request.validation_failed')
  })
})
