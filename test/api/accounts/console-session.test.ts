// R50: the session of the console. The cookie is as good as a token, but only for requests from the console's pages.
import { beforeEach, describe, expect, test } from 'vitest'
import { createSignInCode } from '../../../src/operations/accounts/accounts.ts'
import { startTestApp, type TestApp, type TestUser, useTestApp } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const CONSOLE_HEADERS = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin' }

const app = useTestApp()
// The rate limit of sign-ins is always on, so each test starts in a new minute.
beforeEach(() => app.advanceSeconds(60))

async function signIn(on: TestApp, user: TestUser, headers: Record<string, string> = CONSOLE_HEADERS): Promise<Answer> {
  const code = await createSignInCode(on.app.ctx, user.userId)
  return on.call('POST', '/auth/session', { body: { code }, headers })
}

const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''

async function newSession(): Promise<{ user: TestUser; cookie: string }> {
  const user = await app.addUser()
  return { user, cookie: cookieOf(await signIn(app, user)) }
}

describe('POST /auth/session', () => {
  test('200 sets an HttpOnly cookie, and the token is not in the body', async () => {
    const user = await app.addUser()
    const answer = await signIn(app, user)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ user_id: user.userId })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^heliograph=hla_\w{32}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    )
  })

  test('200 R50 with an https public URL, the cookie is Secure and has the __Host- prefix', async () => {
    const secure = await startTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://helio.example' })
    try {
      const answer = await signIn(secure, await secure.addUser())
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-heliograph=hla_\w{32}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict; Secure$/,
      )
      const cookie = cookieOf(answer)
      expect((await secure.call('GET', '/auth/me', { headers: { cookie } })).status).toBe(200)
      const unbound = cookie.replace('__Host-', '')
      expectProblem(await secure.call('GET', '/auth/me', { headers: { cookie: unbound } }), 401, 'token.invalid')
    } finally {
      await secure.stop()
    }
  })

  test('401 token.invalid for an unknown code, and no cookie', async () => {
    const answer = await app.call('POST', '/auth/session', { body: { code: 'unknown' }, headers: CONSOLE_HEADERS })
    expectProblem(answer, 401, 'token.invalid')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test.each([
    ['without our header', { 'sec-fetch-site': 'same-origin' }],
    ['from another site', { ...CONSOLE_HEADERS, 'sec-fetch-site': 'cross-site' }],
  ])('403 R50 session.foreign_request %s; the code stays valid', async (_how, headers) => {
    const user = await app.addUser()
    const code = await createSignInCode(app.app.ctx, user.userId)
    const refused = await app.call('POST', '/auth/session', { body: { code }, headers })
    expectProblem(refused, 403, 'session.foreign_request')
    expect((await app.call('POST', '/auth/session', { body: { code }, headers: CONSOLE_HEADERS })).status).toBe(200)
  })

  test('422 request.validation_failed without a code', async () => {
    const answer = await app.call('POST', '/auth/session', { body: {}, headers: CONSOLE_HEADERS })
    expectProblem(answer, 422, 'request.validation_failed')
  })

  test('429 rate_limit.exceeded counts both ways to sign in together', async () => {
    for (let attempt = 1; attempt <= 10; attempt++) await app.post('/auth/link', { code: 'unknown' })
    const answer = await app.call('POST', '/auth/session', { body: { code: 'unknown' }, headers: CONSOLE_HEADERS })
    expectProblem(answer, 429, 'rate_limit.exceeded')
  })
})

describe('a request with the cookie', () => {
  test.each([
    ['of the console', 'same-origin'],
    ['from the address bar', 'none'],
    ['without Sec-Fetch-Site', undefined],
  ])('200 for a GET %s', async (_who, site) => {
    const { user, cookie } = await newSession()
    const headers = { cookie, ...(site && { 'sec-fetch-site': site }) }
    const answer = await app.call('GET', '/auth/me', { headers })
    expect([answer.status, answer.body.id]).toEqual([200, user.userId])
  })

  test('200 finds the cookie among others', async () => {
    const { cookie } = await newSession()
    const headers = { cookie: `theme=dark; ${cookie}; x=heliograph=no` }
    expect((await app.call('GET', '/auth/me', { headers })).status).toBe(200)
  })

  test('200 for a change with our header, also without Sec-Fetch-Site', async () => {
    const { cookie } = await newSession()
    const body = { nickname: 'Ada' }
    expect((await app.call('PATCH', '/auth/me', { body, headers: { cookie, ...CONSOLE_HEADERS } })).status).toBe(200)
    const headers = { cookie, 'x-heliograph-console': '1' }
    expect((await app.call('PATCH', '/auth/me', { body, headers })).status).toBe(200)
  })

  test('200 a token in the Authorization header takes precedence over the cookie', async () => {
    const { cookie } = await newSession()
    const other = await app.addUser()
    const answer = await app.call('GET', '/auth/me', { token: other.token, headers: { cookie } })
    expect(answer.body.id).toBe(other.userId)
  })

  test('200 GET /events with the cookie', async () => {
    const { cookie } = await newSession()
    const disconnect = new AbortController()
    const answer = await fetch(`${app.url}/events`, { headers: { cookie }, signal: disconnect.signal })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    disconnect.abort()
  })

  test('401 token.invalid for a cookie with an invalid token', async () => {
    const headers = { cookie: 'heliograph=hla_nonsense' }
    expectProblem(await app.call('GET', '/auth/me', { headers }), 401, 'token.invalid')
  })

  test('401 token.invalid with a malformed Authorization header, which the console never sends', async () => {
    const { cookie } = await newSession()
    const headers = { cookie, authorization: 'Basic eDp5' }
    expectProblem(await app.call('GET', '/auth/me', { headers }), 401, 'token.invalid')
  })

  test('401 token.invalid for rotating the token: no script may read one', async () => {
    const { cookie } = await newSession()
    const answer = await app.call('POST', '/auth/token/rotate', { headers: { cookie, ...CONSOLE_HEADERS } })
    expectProblem(answer, 401, 'token.invalid')
    expect((await app.call('GET', '/auth/me', { headers: { cookie } })).status).toBe(200)
  })

  test.each([
    ['without our header', 'PATCH', { 'sec-fetch-site': 'same-origin' }],
    ['without any of the headers', 'PATCH', {}],
    ['from another site', 'PATCH', { ...CONSOLE_HEADERS, 'sec-fetch-site': 'cross-site' }],
    ['from another origin of the same site', 'PATCH', { ...CONSOLE_HEADERS, 'sec-fetch-site': 'same-site' }],
    ['from the address bar', 'PATCH', { ...CONSOLE_HEADERS, 'sec-fetch-site': 'none' }],
    ['for a GET from another site', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['for a GET from another origin of the same site', 'GET', { ...CONSOLE_HEADERS, 'sec-fetch-site': 'same-site' }],
  ])('403 R50 session.foreign_request %s', async (_how, method, headers) => {
    const { cookie } = await newSession()
    const body = method === 'PATCH' ? { nickname: 'Mallory' } : undefined
    const refused = await app.call(method, '/auth/me', { body, headers: { cookie, ...headers } })
    expectProblem(refused, 403, 'session.foreign_request')
    expect((await app.call('GET', '/auth/me', { headers: { cookie } })).body.nickname).toBeNull()
  })
})

describe('DELETE /auth/session', () => {
  test('204 the session ends immediately and the cookie is deleted', async () => {
    const { cookie } = await newSession()
    const answer = await app.call('DELETE', '/auth/session', { headers: { cookie, ...CONSOLE_HEADERS } })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toMatch(/^heliograph=; Path=\/; Max-Age=0; /)
    expectProblem(await app.call('GET', '/auth/me', { headers: { cookie } }), 401, 'token.invalid')
  })

  test('204 other sessions of the account stay valid', async () => {
    const { user, cookie } = await newSession()
    const other = cookieOf(await signIn(app, user))
    await app.call('DELETE', '/auth/session', { headers: { cookie, ...CONSOLE_HEADERS } })
    expect((await app.call('GET', '/auth/me', { headers: { cookie: other } })).status).toBe(200)
  })

  test('401 token.invalid without a session', async () => {
    expectProblem(await app.call('DELETE', '/auth/session', { headers: CONSOLE_HEADERS }), 401, 'token.invalid')
  })
})
