// R43: requests are counted by the real client address, before anything else is checked.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createRateLimiter } from '../../../src/operations/rate-limit.ts'
import { type TestApp, useTestApp } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { openSocket, parseAnswers, readAll } from '../../support/raw-http.ts'

const LIMIT = 5
const GENERAL = { HELIOGRAPH_RATE_LIMIT_PER_MINUTE: String(LIMIT) }

// How many of the calls are not refused with 429.
async function allowed(calls: number, call: (index: number) => Promise<{ status: number }>): Promise<number> {
  let count = 0
  for (let index = 0; index < calls; index++) if ((await call(index)).status !== 429) count++
  return count
}

// Starts a new minute, so that no request of an earlier test counts.
async function startNewMinute(app: TestApp): Promise<void> {
  await app.get('/health')
  app.advanceSeconds(60)
}

const from = (app: TestApp, forwardedFor: string) =>
  app.call('GET', '/health', { headers: { 'x-forwarded-for': forwardedFor } })

describe.skipIf(sqliteSuffices())('R43: the general limit', () => {
  const app = useTestApp({ HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '200' })

  test('allows 200 requests a minute; the 201st is 429 rate_limit.exceeded with Retry-After 60', async () => {
    await startNewMinute(app)
    const answers = await Promise.all(Array.from({ length: 200 }, () => app.get('/health')))
    expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200))
    const refused = await app.get('/health')
    expectProblem(refused, 429, 'rate_limit.exceeded')
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.body.retry_after_ms).toBe(60_000)
    app.advanceSeconds(60)
    expect((await app.get('/health')).status).toBe(200)
  })
})

describe.skipIf(sqliteSuffices())('R43: counting', () => {
  const app = useTestApp(GENERAL)
  beforeEach(() => startNewMinute(app))

  test('every answer says how many requests are left and when the window restarts', async () => {
    app.advanceSeconds(15)
    const first = await app.get('/health')
    expect(first.headers.get('ratelimit-policy')).toBe(`"default";q=${LIMIT};w=60`)
    expect(first.headers.get('ratelimit')).toBe(`"default";r=${LIMIT - 1};t=45`)
    expect((await app.get('/nothing')).headers.get('ratelimit')).toBe(`"default";r=${LIMIT - 2};t=45`)
    for (let count = 2; count < LIMIT; count++) await app.get('/health')
    expect((await app.get('/health')).headers.get('ratelimit')).toBe('"default";r=0;t=45')
  })

  test('unknown paths, other methods, bad tokens and bad bodies count like any request', async () => {
    expect((await app.get('/nothing')).status).toBe(404)
    expect((await app.put('/health')).status).toBe(405)
    expect((await app.get('/widgets')).status).toBe(401)
    expect((await app.call('POST', '/auth/link', { raw: '{' })).status).toBe(400)
    expect((await app.get('/health')).status).toBe(200)
    expectProblem(await app.get('/nothing'), 429, 'rate_limit.exceeded')
    expectProblem(await app.get('/widgets'), 429, 'rate_limit.exceeded')
  })

  test('files of the console and the documentation are not counted', async () => {
    for (const path of ['/app/', '/app/theme.js', '/docs/', '/docs/site.js', '/docs/api', '/openapi.json']) {
      const { status, headers } = await app.get(path)
      expect([path, status, headers.get('ratelimit')]).toEqual([path, 200, null])
    }
    expect((await app.get('/health')).headers.get('ratelimit')).toContain(`r=${LIMIT - 1};`)
  })

  test('429 is answered before the body is read', async () => {
    await allowed(LIMIT, () => app.get('/health'))
    const socket = await openSocket(app.url)
    const received = readAll(socket)
    const head = 'POST /widgets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n'
    socket.write(`${head}Connection: close\r\n\r\n`)
    const [answer] = parseAnswers(await received)
    expect(answer?.status).toBe(429)
  })

  test('a person who opens a page gets one that loads itself again; a program gets the problem', async () => {
    await allowed(LIMIT, () => app.get('/health'))
    const headers = { accept: 'text/html,application/xhtml+xml' }
    const page = await app.call('GET', '/health', { headers })
    expect([page.status, page.headers.get('content-type'), page.headers.get('retry-after')]).toEqual([
      429,
      'text/html; charset=utf-8',
      '60',
    ])
    expect(page.text).toContain('<h1>One moment, please</h1>')
    expect(page.text).toContain('<meta http-equiv="refresh" content="10">')
    expectProblem(await app.call('POST', '/auth/link', { body: { code: 'x' }, headers }), 429, 'rate_limit.exceeded')
  })

  test('a forged X-Forwarded-For is ignored if no proxy is trusted', async () => {
    expect(await allowed(20, (index) => from(app, `203.0.113.${index}`))).toBe(LIMIT)
  })

  test('the count restarts in the next minute, and when the clock jumps back', async () => {
    expect(await allowed(LIMIT + 1, () => app.get('/health'))).toBe(LIMIT)
    app.advanceSeconds(60)
    expect(await allowed(LIMIT + 1, () => app.get('/health'))).toBe(LIMIT)
    app.advanceSeconds(-3600)
    expect(await allowed(LIMIT + 1, () => app.get('/health'))).toBe(LIMIT)
    app.advanceSeconds(3600)
  })
})

describe.skipIf(sqliteSuffices())('R43: behind a trusted proxy', () => {
  const app = useTestApp({ ...GENERAL, HELIOGRAPH_TRUST_PROXY: '127.0.0.1,10.0.0.0/8' })
  beforeEach(() => startNewMinute(app))

  test('clients are counted separately, by the address that the proxy saw', async () => {
    expect(await allowed(LIMIT + 3, () => from(app, '203.0.113.1'))).toBe(LIMIT)
    expect(await allowed(LIMIT + 3, () => from(app, '203.0.113.2'))).toBe(LIMIT)
  })

  test('addresses that the client wrote into the header are ignored', async () => {
    expect(await allowed(20, (index) => from(app, `198.51.100.${index}, 203.0.113.3`))).toBe(LIMIT)
  })

  test('two proxies in a row are supported', async () => {
    expect(await allowed(20, (index) => from(app, `198.51.100.${index}, 203.0.113.4, 10.1.2.3`))).toBe(LIMIT)
  })

  test('IPv6 addresses of one /64 count as one, of two as two', async () => {
    expect(await allowed(20, (index) => from(app, `2001:db8:0:1::${index}`))).toBe(LIMIT)
    expect(await allowed(20, (index) => from(app, `2001:db8:0:2::${index}`))).toBe(LIMIT)
  })

  test('an IPv4 address counts as one in all its spellings', async () => {
    const spellings = ['203.0.113.5', '::ffff:203.0.113.5', '203.0.113.5:4711', '::ffff:cb00:7105']
    expect(await allowed(20, (index) => from(app, spellings[index % 4] as string))).toBe(LIMIT)
  })

  test.each(['unknown', 'a:b', ':::', '[', '%', 'x'.repeat(4000)])(
    'the invalid address "%s" is answered, and limited',
    async (name) => {
      expect(await allowed(20, () => from(app, name))).toBe(LIMIT)
    },
  )
})

describe('R43: several nodes', () => {
  const nodes = useTestNodes({ HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '40' })

  test.runIf(isPostgres())('share one count, with a delay', async () => {
    const [first, second] = nodes.all as [TestApp, TestApp]
    expect(await allowed(60, () => first.get('/health'))).toBeLessThanOrEqual(40)
    let asked = 0
    await vi.waitFor(
      async () => {
        asked++
        expect((await second.get('/health')).status).toBe(429)
      },
      // Nodes share five times a second, and on a busy machine at least once in 40 seconds.
      { interval: 1000, timeout: 600_000 },
    )
    // Without sharing it would have allowed 40.
    expect(asked).toBeLessThan(40)
  })

  test('a flood of addresses evicts the oldest counts instead of filling the memory', () => {
    const { ctx } = nodes.first.app
    const limiter = createRateLimiter(ctx.clock, ctx.db)
    const take = (address: string) => limiter.take('default', address, 1).allowed
    expect([take('first'), take('first')]).toEqual([true, false])
    for (let index = 0; index < 100_000; index++) take(`address ${index}`)
    expect(take('address 99999')).toBe(false)
    expect(take('first')).toBe(true)
  })
})
