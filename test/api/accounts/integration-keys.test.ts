// Integration keys by endpoint; the default key is in default-key.test.ts.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const NOTHING = { activities: 'none', notifications: 'none', widgets: 'none', emails: 'none' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SECRET = /^hlk_[0-9A-Za-z]{32}$/

const create = (body: Record<string, unknown> = {}) =>
  app.post('/integrations/keys', { name: 'CI', ...body }, user.token)
const keysOf = async (owner: TestUser) => (await app.get('/integrations/keys', owner.token)).body
const listed = async (id: string) => (await keysOf(user)).find((key: { id: string }) => key.id === id)
const defaultKeyId = async () => (await app.post('/integrations/default-key', undefined, user.token)).body.id

describe('POST /integrations/keys', () => {
  test('201 with no permission member: activity:update and notifications send', async () => {
    const answer = await create()
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      name: 'CI',
      scope: 'activity:update',
      permissions: { ...NOTHING, activities: 'update', notifications: 'send' },
      is_default: false,
      notifications: true,
      widgets: false,
      emails: false,
      key: expect.stringMatching(SECRET),
      created_at: new Date(app.clock.now()).toISOString(),
    })
    expect((await app.get('/auth/me', answer.body.key)).status).toBe(200)
  })

  test('201 with permissions, slug lists and an expiry', async () => {
    const answer = await create({
      permissions: { widgets: 'read', emails: 'send' },
      activity_slugs: ['deploy'],
      widget_slugs: ['ci-*', 'ci-*'],
      expires_at: '2027-01-01T00:00:00Z',
    })
    expect(answer.body).toMatchObject({
      scope: 'activity:none',
      permissions: { ...NOTHING, widgets: 'read', emails: 'send' },
      notifications: false,
      widgets: false,
      emails: true,
      activity_slugs: ['deploy'],
      widget_slugs: ['ci-*'],
      expires_at: '2027-01-01T00:00:00.000Z',
    })
  })

  test('201 in the older form', async () => {
    const { body } = await create({ scope: 'activity:read', notifications: true, widgets: true, emails: false })
    expect(body.permissions).toEqual({
      activities: 'read',
      notifications: 'schedule',
      widgets: 'write',
      emails: 'none',
    })
  })

  test('201 empty lists and null count as absent', async () => {
    const { body } = await create({ activity_slugs: [], widget_slugs: null, expires_at: null })
    for (const member of ['activity_slugs', 'widget_slugs', 'expires_at']) expect(body).not.toHaveProperty(member)
  })

  test('201 a name of 256 code points; 422 for 257, for none and for an empty one', async () => {
    expect((await create({ name: '😀'.repeat(256) })).status).toBe(201)
    for (const name of ['x'.repeat(257), '', undefined, null, 5]) {
      const refused = await create({ name })
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual(['body.name'])
    }
  })

  test('400 integration_key.permissions_conflict for both forms at once', async () => {
    const refused = await create({ permissions: { widgets: 'read' }, scope: 'activity:read' })
    expectProblem(refused, 400, 'integration_key.permissions_conflict')
  })

  test('400 integration_key.expires_at_invalid for an expiry that is not in the future', async () => {
    const now = new Date(app.clock.now()).toISOString()
    expectProblem(await create({ expires_at: now }), 400, 'integration_key.expires_at_invalid')
  })

  test('400 integration_key.slug_invalid for a bad entry in a slug list', async () => {
    const refused = await create({ widget_slugs: ['ok', 'not ok'] })
    expectProblem(refused, 400, 'integration_key.slug_invalid')
    expect(refused.body.detail).toContain('body.widget_slugs[1]')
  })

  test('409 integration_key.limit_exceeded at the 26th, the default key counted', async () => {
    for (let count = 1; count < LIMITS.key.maxPerAccount; count++) expect((await create()).status).toBe(201)
    expectProblem(await create(), 409, 'integration_key.limit_exceeded')
    expect(await keysOf(user)).toHaveLength(25)
  })

  test('422 request.validation_failed lists every violation', async () => {
    const refused = await create({
      scope: 'activity:everything',
      permissions: { widgets: 'admin', doors: 'open' },
      widgets: 'yes',
      widget_slugs: Array(101).fill('a'),
      expires_at: '2027-02-30T00:00:00Z',
    })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused).sort()).toEqual([
      'body.expires_at',
      'body.permissions.doors',
      'body.permissions.widgets',
      'body.scope',
      'body.widget_slugs',
      'body.widgets',
    ])
  })

  test.each(['id', 'key', 'user_id', 'is_default', 'created_at', 'last_used_at', 'hash'])(
    '422 R47: %s cannot be set',
    async (member) => {
      const refused = await create({ [member]: true })
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual([`body.${member}`])
    },
  )
})

describe('GET /integrations/keys', () => {
  test('200 a bare array, newest first, without secrets', async () => {
    const made = []
    for (const name of ['first', 'second', 'third']) {
      app.advanceSeconds(1)
      made.push((await create({ name })).body)
    }
    const answer = await app.get('/integrations/keys', user.token)
    expect(answer.status).toBe(200)
    expect(answer.body.map((key: { name: string }) => key.name)).toEqual(['third', 'second', 'first', 'Default'])
    const { key: _secret, ...metadata } = made[2]
    expect(answer.body[0]).toEqual(metadata)
    for (const { key } of made) expect(answer.text).not.toContain(key)
  })

  test('200 for the default key it is an object with items', async () => {
    const answer = await app.get('/integrations/keys', user.defaultKey)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ items: [expect.objectContaining({ name: 'Default' })] })
  })

  test('200 last_used_at is precise to a minute and appears once written', async () => {
    const { key, id } = (await create()).body
    expect(await listed(id)).not.toHaveProperty('last_used_at')
    app.advanceSeconds(150)
    await app.get('/auth/me', key)
    await app.app.ctx.lastUsed.flush()
    const minute = app.clock.now() - (app.clock.now() % 60_000)
    expect(await listed(id)).toHaveProperty('last_used_at', new Date(minute).toISOString())
  })

  test('403 integration_key.default_key_required for another key', async () => {
    const key = (await create({ permissions: { activities: 'manage', widgets: 'write' } })).body.key
    expectProblem(await app.get('/integrations/keys', key), 403, 'integration_key.default_key_required')
  })
})

describe('PATCH /integrations/keys/:key_id', () => {
  const change = (id: string, body: unknown) => app.patch(`/integrations/keys/${id}`, body, user.token)

  test('200 changes the members sent and keeps the rest, without the secret', async () => {
    const { key, ...before } = (await create({ permissions: { widgets: 'read' }, widget_slugs: ['a'] })).body
    const answer = await change(before.id, { permissions: { emails: 'send' }, name: 'Mail' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...before,
      name: 'Mail',
      emails: true,
      permissions: { ...before.permissions, emails: 'send' },
    })
    expect(await listed(before.id)).toEqual(answer.body)
    expect((await app.get('/auth/me', key)).body.integration_key.permissions.emails).toBe('send')
  })

  test('200 [] and null remove slug lists and the expiry', async () => {
    const { id } = (await create({ activity_slugs: ['a'], widget_slugs: ['b'], expires_at: '2027-01-01T00:00:00Z' }))
      .body
    const { body } = await change(id, { activity_slugs: [], widget_slugs: null, expires_at: null })
    for (const member of ['activity_slugs', 'widget_slugs', 'expires_at']) expect(body).not.toHaveProperty(member)
  })

  test('200 R46: a lowered level applies to the next request', async () => {
    const { id, key } = (await create({ permissions: { widgets: 'read' } })).body
    expect((await app.get('/widgets', key)).status).toBe(200)
    await change(id, { permissions: { widgets: 'none' } })
    expectProblem(await app.get('/widgets', key), 403, 'integration_key.permission_denied')
  })

  test('400 integration_key.default_locked for the default key', async () => {
    const refused = await change(await defaultKeyId(), { name: 'Mine' })
    expectProblem(refused, 400, 'integration_key.default_locked')
  })

  test('400 request.body_required for {} and for no body', async () => {
    const { id } = (await create()).body
    expectProblem(await change(id, {}), 400, 'request.body_required')
    expectProblem(await change(id, undefined), 400, 'request.body_required')
  })

  test('400 path.too_long for an id of more than 64 characters', async () => {
    expectProblem(await change('x'.repeat(65), { name: 'y' }), 400, 'path.too_long')
  })

  test('404 integration_key.not_found for an unknown or malformed id', async () => {
    expectProblem(await change(randomUUID(), { name: 'y' }), 404, 'integration_key.not_found')
    for (const id of ['not-a-uuid', '%00', '%F0%9F%92%A5', '1', `${randomUUID()}0`]) {
      expectProblem(await change(id, { name: 'y' }), 404, 'integration_key.not_found')
    }
  })

  test('422 request.validation_failed, and nothing is changed', async () => {
    const { key: _secret, ...before } = (await create()).body
    expectProblem(await change(before.id, { name: 'new', is_default: true }), 422, 'request.validation_failed')
    expect(await listed(before.id)).toEqual(before)
  })
})

describe('POST /integrations/keys/:key_id/roll', () => {
  test('200 a new secret, everything else kept; R46: the old one stops working immediately', async () => {
    const { key: old, ...before } = (await create({ permissions: { widgets: 'read' }, widget_slugs: ['a'] })).body
    const answer = await app.post(`/integrations/keys/${before.id}/roll`, undefined, user.token)
    expect(answer.status).toBe(200)
    const { key: fresh, ...after } = answer.body
    expect(after).toEqual(before)
    expect(fresh).toMatch(SECRET)
    expectProblem(await app.get('/widgets', old), 401, 'token.invalid')
    expect((await app.get('/widgets', fresh)).status).toBe(200)
  })

  test('404 integration_key.not_found for an unknown id', async () => {
    const refused = await app.post(`/integrations/keys/${randomUUID()}/roll`, undefined, user.token)
    expectProblem(refused, 404, 'integration_key.not_found')
  })
})

describe('DELETE /integrations/keys/:key_id', () => {
  test('204 R46: the key stops working immediately and frees its place', async () => {
    const { id, key } = (await create()).body
    const answer = await app.del(`/integrations/keys/${id}`, user.token)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expectProblem(await app.get('/auth/me', key), 401, 'token.invalid')
    expect(await keysOf(user)).toHaveLength(1)
  })

  test('404 integration_key.not_found the second time', async () => {
    const { id } = (await create()).body
    await app.del(`/integrations/keys/${id}`, user.token)
    expectProblem(await app.del(`/integrations/keys/${id}`, user.token), 404, 'integration_key.not_found')
  })
})
