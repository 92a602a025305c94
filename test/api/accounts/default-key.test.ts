// The default key of an account: its creation, and its rights over other keys.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
let defaultId: string
beforeEach(async () => {
  user = await app.addUser()
  defaultId = (await app.post('/integrations/default-key', undefined, user.token)).body.id
})

const roll = (id: string, token: string) => app.post(`/integrations/keys/${id}/roll`, undefined, token)

describe('POST /integrations/default-key', () => {
  test('200 without the secret when it exists', async () => {
    const answer = await app.post('/integrations/default-key', undefined, user.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: defaultId,
      name: 'Default',
      scope: 'activity:manage',
      permissions: { activities: 'manage', notifications: 'schedule', widgets: 'write', emails: 'send' },
      is_default: true,
      notifications: true,
      widgets: true,
      emails: true,
      created: false,
      created_at: new Date(app.clock.now()).toISOString(),
    })
  })

  test('201 with a new secret after it was revoked', async () => {
    await app.del(`/integrations/keys/${defaultId}`, user.token)
    expectProblem(await app.get('/auth/me', user.defaultKey), 401, 'token.invalid')
    const answer = await app.post('/integrations/default-key', undefined, user.token)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      created: true,
      is_default: true,
      key: expect.stringMatching(/^hlk_[0-9A-Za-z]{32}$/),
    })
    expect((await app.get('/auth/me', answer.body.key)).status).toBe(200)
  })

  test('409 integration_key.limit_exceeded when the account has the maximum of other keys', async () => {
    await app.del(`/integrations/keys/${defaultId}`, user.token)
    for (let count = 0; count < LIMITS.key.maxPerAccount; count++)
      expect((await app.post('/integrations/keys', { name: 'K' }, user.token)).status).toBe(201)
    const refused = await app.post('/integrations/default-key', undefined, user.token)
    expectProblem(refused, 409, 'integration_key.limit_exceeded')
  })
})

describe('the default key', () => {
  test('201, 200, 200, 204 creates, changes, rolls and deletes other keys', async () => {
    const created = await app.post('/integrations/keys', { name: 'CI' }, user.defaultKey)
    expect(created.status).toBe(201)
    const { id } = created.body
    expect((await app.patch(`/integrations/keys/${id}`, { widgets: true }, user.defaultKey)).body.widgets).toBe(true)
    expect((await roll(id, user.defaultKey)).status).toBe(200)
    expect((await app.del(`/integrations/keys/${id}`, user.defaultKey)).status).toBe(204)
  })

  test('200 returns itself', async () => {
    const answer = await app.post('/integrations/default-key', undefined, user.defaultKey)
    expect([answer.status, answer.body.id]).toEqual([200, defaultId])
  })

  test('403 integration_key.default_target when it would change, roll or delete itself', async () => {
    const path = `/integrations/keys/${defaultId}`
    expectProblem(await app.patch(path, { name: 'x' }, user.defaultKey), 403, 'integration_key.default_target')
    expectProblem(await roll(defaultId, user.defaultKey), 403, 'integration_key.default_target')
    expectProblem(await app.del(path, user.defaultKey), 403, 'integration_key.default_target')
    expect((await app.get('/auth/me', user.defaultKey)).status).toBe(200)
  })
})

describe('a full-access token', () => {
  test('200, 204 rolls and deletes the default key', async () => {
    const rolled = await roll(defaultId, user.token)
    expect(rolled.body).toMatchObject({ is_default: true, name: 'Default' })
    expectProblem(await app.get('/auth/me', user.defaultKey), 401, 'token.invalid')
    expect((await app.get('/auth/me', rolled.body.key)).status).toBe(200)
    expect((await app.del(`/integrations/keys/${defaultId}`, user.token)).status).toBe(204)
    expectProblem(await app.get('/auth/me', rolled.body.key), 401, 'token.invalid')
  })
})

describe('the default key of another account', () => {
  test('404 integration_key.not_found for every key of this one', async () => {
    const stranger = await app.addUser()
    const path = `/integrations/keys/${defaultId}`
    expectProblem(await app.patch(path, { name: 'x' }, stranger.defaultKey), 404, 'integration_key.not_found')
    expectProblem(await roll(defaultId, stranger.defaultKey), 404, 'integration_key.not_found')
    expectProblem(await app.del(path, stranger.defaultKey), 404, 'integration_key.not_found')
    expect((await app.get('/auth/me', user.defaultKey)).status).toBe(200)
  })
})
