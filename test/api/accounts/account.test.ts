// Signing in and out, and the account itself.

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CONTRACT_PLANS } from '../../../src/domain/plans.ts'
import { addUser, createSignInCode, createToken } from '../../../src/operations/accounts/accounts.ts'
import { useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
// The rate limit of sign-ins is always on, so each test starts in a new minute.
beforeEach(() => app.advanceSeconds(60))

describe('POST /auth/link', () => {
  test('200 a full-access token for the owner of the code', async () => {
    const user = await app.addUser()
    const code = await createSignInCode(app.app.ctx, user.userId)
    const answer = await app.post('/auth/link', { code })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ token: expect.stringMatching(/^hla_[0-9A-Za-z]{32}$/), user_id: user.userId })
    expect((await app.get('/auth/me', answer.body.token)).body.id).toBe(user.userId)
  })

  test('200 the tokens of earlier sign-ins stay valid', async () => {
    const user = await app.addUser()
    await app.post('/auth/link', { code: await createSignInCode(app.app.ctx, user.userId) })
    expect((await app.get('/auth/me', user.token)).status).toBe(200)
  })

  test('400 request.body_required without a body', async () => {
    expectProblem(await app.post('/auth/link'), 400, 'request.body_required')
  })

  test('401 token.invalid for a code that was used', async () => {
    const { userId } = await app.addUser()
    const code = await createSignInCode(app.app.ctx, userId)
    await app.post('/auth/link', { code })
    expectProblem(await app.post('/auth/link', { code }), 401, 'token.invalid')
  })

  test('401 token.invalid for a code ten minutes old, 200 just before', async () => {
    const { userId } = await app.addUser()
    const [inTime, late] = [await createSignInCode(app.app.ctx, userId), await createSignInCode(app.app.ctx, userId)]
    app.advanceSeconds(599)
    expect((await app.post('/auth/link', { code: inTime })).status).toBe(200)
    app.advanceSeconds(1)
    expectProblem(await app.post('/auth/link', { code: late }), 401, 'token.invalid')
  })

  test('401 token.invalid for an unknown code', async () => {
    expectProblem(await app.post('/auth/link', { code: 'x'.repeat(32) }), 401, 'token.invalid')
  })

  test('422 request.validation_failed without echoing what may be a code', async () => {
    const tooLong = await app.post('/auth/link', { code: 'c'.repeat(129) })
    expectProblem(tooLong, 422, 'request.validation_failed')
    expect(locations(tooLong)).toEqual(['body.code'])
    expect(tooLong.text).not.toContain('c'.repeat(20))
    expectProblem(await app.post('/auth/link', { code: 7 }), 422, 'request.validation_failed')
    expectProblem(await app.post('/auth/link', { code: '' }), 422, 'request.validation_failed')
    expectProblem(await app.post('/auth/link', { code: 'x', user_id: 'y' }), 422, 'request.validation_failed')
  })

  test('429 rate_limit.exceeded at the eleventh sign-in of a minute', async () => {
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect((await app.post('/auth/link', { code: 'unknown' })).status).toBe(401)
    }
    const refused = await app.post('/auth/link', { code: 'unknown' })
    expectProblem(refused, 429, 'rate_limit.exceeded')
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.body.retry_after_ms).toBe(60_000)
    app.advanceSeconds(60)
    expect((await app.post('/auth/link', { code: 'unknown' })).status).toBe(401)
  })
})

describe('POST /auth/token/rotate', () => {
  test('200 a new token; R46: the old one stops working immediately', async () => {
    const { token, userId } = await app.addUser()
    const answer = await app.post('/auth/token/rotate', undefined, token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ token: expect.stringMatching(/^hla_[0-9A-Za-z]{32}$/) })
    expectProblem(await app.get('/auth/me', token), 401, 'token.invalid')
    expect((await app.get('/auth/me', answer.body.token)).body.id).toBe(userId)
  })

  test('200 other tokens of the account stay valid', async () => {
    const { token, userId } = await app.addUser()
    const other = await createToken(app.app.ctx, userId, 'hla')
    await app.post('/auth/token/rotate', undefined, token)
    expect((await app.get('/auth/me', other)).status).toBe(200)
  })

  test('401 token.invalid without a token', async () => {
    expectProblem(await app.post('/auth/token/rotate'), 401, 'token.invalid')
  })

  test('403 integration_key.permission_denied for the default key', async () => {
    const { defaultKey } = await app.addUser()
    const refused = await app.post('/auth/token/rotate', undefined, defaultKey)
    expectProblem(refused, 403, 'integration_key.permission_denied')
  })
})

describe('DELETE /auth/token', () => {
  test('204 R46: the token stops working immediately', async () => {
    const { token } = await app.addUser()
    const answer = await app.del('/auth/token', token)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expectProblem(await app.get('/auth/me', token), 401, 'token.invalid')
    expectProblem(await app.del('/auth/token', token), 401, 'token.invalid')
  })

  test('403 widget.token_not_permitted for a widget token', async () => {
    const { userId } = await app.addUser()
    const token = await createToken(app.app.ctx, userId, 'hlw')
    expectProblem(await app.del('/auth/token', token), 403, 'widget.token_not_permitted')
  })
})

describe('GET /auth/me', () => {
  test('200 a free account, with all limits', async () => {
    const { token, userId } = await app.addUser('free')
    const answer = await app.get('/auth/me', token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: userId,
      nickname: null,
      activity_count: 0,
      subscribed: false,
      plan: 'free',
      caps: CONTRACT_PLANS.named('free').caps,
      quota_period_month: 202611,
      notifications_used: 0,
      notifications_limit: 500,
      live_activity_updates_used: 0,
      live_activity_updates_limit: 250,
      widget_updates_used: 0,
      widget_updates_limit: 50,
      emails_used: 0,
      emails_limit: 50,
      quota_resets_at: '2026-12-01T00:00:00.000Z',
    })
  })

  test('200 a paid account: unlimited quotas are left out, notifications count by day', async () => {
    const { token, userId } = await app.addUser('paid')
    expect((await app.get('/auth/me', token)).body).toEqual({
      id: userId,
      nickname: null,
      activity_count: 0,
      subscribed: true,
      plan: 'paid',
      caps: CONTRACT_PLANS.named('paid').caps,
      quota_period_month: 202611,
      notifications_used: 0,
      notifications_used_month: 0,
      notifications_limit: 5000,
      live_activity_updates_used: 0,
      widget_updates_used: 0,
      emails_used: 0,
      emails_limit: 200,
      quota_resets_at: '2026-11-16T00:00:00.000Z',
      quota_resets_day_at: '2026-11-16T00:00:00.000Z',
    })
  })

  test('200 for a key, also the key and its permissions', async () => {
    const user = await app.addUser()
    const key = await app.addKey(user, {
      name: 'CI',
      permissions: { widgets: 'read' },
      widget_slugs: ['ci-*'],
      expires_at: '2027-01-01T00:00:00+01:00',
    })
    const { body } = await app.get('/auth/me', key)
    expect(body.id).toBe(user.userId)
    expect(body.integration_key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'CI',
      is_default: false,
      permissions: { activities: 'none', notifications: 'none', widgets: 'read', emails: 'none' },
      widget_slugs: ['ci-*'],
      expires_at: '2026-12-31T23:00:00.000Z',
    })
    const viaDefault = await app.get('/auth/me', user.defaultKey)
    expect(viaDefault.body.integration_key).toMatchObject({ name: 'Default', is_default: true })
  })

  test('401 token.invalid for a missing, malformed and unknown token', async () => {
    const { token } = await app.addUser()
    const headers: Record<string, string>[] = [
      {},
      { authorization: token },
      { authorization: `Basic ${token}` },
      { authorization: `Bearer  ${token}` },
      { authorization: `Bearer ${token} more` },
      { authorization: 'Bearer' },
      { authorization: 'Bearer hla_tooshort' },
    ]
    for (const header of headers) {
      expectProblem(await app.call('GET', '/auth/me', { headers: header }), 401, 'token.invalid')
    }
    expect((await app.call('GET', '/auth/me', { headers: { authorization: `bearer ${token}` } })).status).toBe(200)
  })

  test('401 R45: a mistyped token is refused without a database query', async () => {
    const { token } = await app.addUser()
    const reads = vi.spyOn(app.app.ctx.db.read, 'first')
    const lastCharacter = token.endsWith('0') ? '1' : '0'
    expectProblem(await app.get('/auth/me', token.slice(0, -1) + lastCharacter), 401, 'token.invalid')
    expect(reads).not.toHaveBeenCalled()
    await app.get('/auth/me', token)
    expect(reads).toHaveBeenCalled()
    reads.mockRestore()
  })

  test('401 integration_key.expired from the instant of expiry on', async () => {
    const user = await app.addUser()
    const expiresAt = new Date(app.clock.now() + 60_000).toISOString()
    const key = await app.addKey(user, { expires_at: expiresAt })
    app.advanceSeconds(59)
    expect((await app.get('/auth/me', key)).status).toBe(200)
    app.advanceSeconds(1)
    expectProblem(await app.get('/auth/me', key), 401, 'integration_key.expired')
  })
})

describe('PATCH /auth/me', () => {
  test('200 sets, keeps and clears the nickname', async () => {
    const { token, userId } = await app.addUser()
    const set = await app.patch('/auth/me', { nickname: 'Ada 👩‍🔬' }, token)
    expect(set.status).toBe(200)
    expect(set.body).toMatchObject({ id: userId, nickname: 'Ada 👩‍🔬' })
    expect((await app.get('/auth/me', token)).body.nickname).toBe('Ada 👩‍🔬')
    expect((await app.patch('/auth/me', { nickname: null }, token)).body.nickname).toBeNull()
    await app.patch('/auth/me', { nickname: 'Ada' }, token)
    expect((await app.patch('/auth/me', { nickname: '' }, token)).body.nickname).toBeNull()
  })

  test('200 fifty code points, however many UTF-16 units; 422 fifty-one', async () => {
    const { token } = await app.addUser()
    expect((await app.patch('/auth/me', { nickname: '😀'.repeat(50) }, token)).status).toBe(200)
    const tooLong = await app.patch('/auth/me', { nickname: 'x'.repeat(51) }, token)
    expectProblem(tooLong, 422, 'request.validation_failed')
    expect(tooLong.body.errors).toEqual([
      { location: 'body.nickname', message: 'must have at most 50 characters', value: 'x'.repeat(51) },
    ])
  })

  test('400 request.body_required for an empty body and for {}', async () => {
    const { token } = await app.addUser()
    expectProblem(await app.call('PATCH', '/auth/me', { token }), 400, 'request.body_required')
    expectProblem(await app.patch('/auth/me', {}, token), 400, 'request.body_required')
  })

  test('403 integration_key.permission_denied for a key', async () => {
    const { defaultKey } = await app.addUser()
    const refused = await app.patch('/auth/me', { nickname: 'x' }, defaultKey)
    expectProblem(refused, 403, 'integration_key.permission_denied')
  })

  test.each(['id', 'user_id', 'plan', 'subscribed', 'created_at'])('422 R47: %s cannot be set', async (member) => {
    const { token } = await app.addUser('free')
    const refused = await app.patch('/auth/me', { nickname: 'x', [member]: 'paid' }, token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual([`body.${member}`])
    expect((await app.get('/auth/me', token)).body).toMatchObject({ nickname: null, subscribed: false })
  })
})

describe('the name of an account', () => {
  test('has 1 to 64 characters', async () => {
    const name = `${Math.random().toString(36).slice(2)}${'😀'.repeat(64)}`
    const longest = [...name].slice(0, 64).join('')
    expect((await addUser(app.app.ctx, longest, 'free')).user.name).toBe(longest)
    for (const wrong of ['', `${longest}x`]) await expect(addUser(app.app.ctx, wrong, 'free')).rejects.toThrow()
  })

  test.each([' Ada', 'Ada '])('has no space at either end, as %j has', async (name) => {
    await expect(addUser(app.app.ctx, name, 'free')).rejects.toThrow('no space at either end')
  })
})
