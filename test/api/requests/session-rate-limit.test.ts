// The console is not locked out of its own server: its files and icons are not counted, and a session is counted by itself.
import { beforeEach, describe, expect, test } from 'vitest'
import { createSignInCode } from '../../../src/operations/accounts/accounts.ts'
import { useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const LIMIT = 5
const app = useTestApp({ HELIOGRAPH_RATE_LIMIT_PER_MINUTE: String(LIMIT) })
const CONSOLE_HEADERS = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin' }
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

beforeEach(async () => {
  await app.get('/health')
  app.advanceSeconds(60)
})

async function signIn(): Promise<string> {
  const { userId } = await app.addUser()
  const body = { code: await createSignInCode(app.app.ctx, userId) }
  const answer = await app.call('POST', '/auth/session', { body, headers: CONSOLE_HEADERS })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}
const withCookie = (cookie: string, path = '/auth/me') =>
  app.call('GET', path, { headers: { ...CONSOLE_HEADERS, cookie } })
const useUpAddress = async () => {
  for (let count = 0; count < LIMIT; count++) await app.get('/health')
  expectProblem(await app.get('/health'), 429, 'rate_limit.exceeded')
}

describe('files of the console', () => {
  test.each(['/app/', '/icons/mdi:home.svg', '/icons?names=mdi:home,bolt.fill'])('%s is not counted', async (path) => {
    await useUpAddress()
    expect((await app.get(path)).status).not.toBe(429)
  })
})

describe('a session', () => {
  test('goes on although a program on its address has used up the limit', async () => {
    const cookie = await signIn()
    await useUpAddress()
    const answer = await withCookie(cookie)
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, `"default";r=${LIMIT - 1};t=60`])
  })

  test('has a limit of its own, which other sessions on the address do not share', async () => {
    const [one, other] = [await signIn(), await signIn()]
    for (let count = 0; count < LIMIT; count++) expect((await withCookie(one)).status).toBe(200)
    const refused = await withCookie(one)
    expectProblem(refused, 429, 'rate_limit.exceeded')
    expect(refused.body.detail).toContain('this session')
    expect((await withCookie(other)).status).toBe(200)
    app.advanceSeconds(60)
    expect((await withCookie(one)).status).toBe(200)
  })

  test('cookies cannot be guessed faster than tokens: refused ones count for the address', async () => {
    const guess = (index: number) => withCookie(`heliograph=hla_${String(index).padStart(32, '0')}`)
    for (let count = 0; count < LIMIT; count++) expectProblem(await guess(count), 401, 'token.invalid')
    expectProblem(await guess(LIMIT), 429, 'rate_limit.exceeded')
  })

  test('a cookie does not lift the limit of sign-ins, nor that of a path without a token', async () => {
    const cookie = await signIn()
    for (let count = 0; count < LIMIT; count++) await withCookie(cookie, '/health')
    expectProblem(await withCookie(cookie, '/health'), 429, 'rate_limit.exceeded')
  })
})

describe('a page that is opened while the address is limited', () => {
  test('429 as a page that loads itself again, without a script', async () => {
    await useUpAddress()
    const answer = await app.call('GET', '/health', { headers: NAVIGATION })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.text).toContain('<meta http-equiv="refresh" content="10">')
  })

  test('429 as problem+json for programs, and for anything but GET', async () => {
    await useUpAddress()
    expectProblem(await app.call('GET', '/health', { headers: { accept: '*/*' } }), 429, 'rate_limit.exceeded')
    const post = await app.call('POST', '/notifications', { headers: NAVIGATION, body: {} })
    expectProblem(post, 429, 'rate_limit.exceeded')
  })
})

describe('GET /icons?names=', () => {
  test('200 one sprite with a symbol per name; an unknown one is neutral', async () => {
    const answer = await app.get('/icons?names=mdi:home,bolt.fill,no-such-thing,mdi:home')
    expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
    expect([...answer.text.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'bolt.fill',
      'mdi:home',
      'no-such-thing',
    ])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    const known = await app.get('/icons?names=mdi:home')
    expect(known.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('422 without names, with a bad one, and with more than a hundred', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `n${index}`).join(',')
    for (const query of ['', '?names=', '?names=a,<svg>', `?names=${many}`]) {
      expectProblem(await app.get(`/icons${query}`), 422, 'request.validation_failed')
    }
  })
})
