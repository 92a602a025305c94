// Who may use the door for ntfy, where the token is, and the small endpoints that senders call.
import { once } from 'node:events'
import { request } from 'node:http'
import { Client } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FILE_ID_CHARS } from '../../../../src/domain/files.ts'
import { createToken } from '../../../../src/operations/accounts/accounts.ts'
import { startTestApp, type TestUser, useTestApp } from '../../../support/app.ts'
import { addApp } from '../../../support/devices/app-streams.ts'
import { setUsed } from '../../../support/usage.ts'
import { askNtfy, headersFor, inboxOf } from './client.ts'

const app = useTestApp()

const ask = (method: string, path: string, init?: RequestInit) => askNtfy(app, method, path, init)

async function addAlias(user: TestUser): Promise<string> {
  const { body: key } = await app.post(
    '/integrations/keys',
    { name: 'n', permissions: { notifications: 'send' } },
    user.token,
  )
  return (await app.post(`/integrations/keys/${key.id}/aliases`, { door: 'ntfy' }, user.token)).body.token
}

const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`
const inQuery = (value: string) => `?auth=${btoa(value).replaceAll('+', '-').replaceAll('/', '_')}`

describe('the token', () => {
  const PLACES: [string, (token: string) => [string, Record<string, string>]][] = [
    ['Bearer', (token) => ['', { authorization: `Bearer ${token}` }]],
    ['the password of Basic', (token) => ['', { authorization: basic('ada', token) }]],
    ['the password of Basic without a user name', (token) => ['', { authorization: basic('', token) }]],
    ['the query, as the header in base64', (token) => [inQuery(basic('', token)).replace(/=+$/, ''), {}]],
    ['the query, in base64 with padding', (token) => [inQuery(`Bearer ${token}`), {}]],
    ['the query as it is, which comes before the header', (token) => [`?auth=${token}`, { authorization: 'Bearer x' }]],
  ]

  test.each(PLACES)('200 for an alias, a key or a full-access token as %s', async (_place, put) => {
    const user = await app.addUser()
    for (const token of [await addAlias(user), user.defaultKey, user.token]) {
      const [query, headers] = put(token)
      expect((await ask('POST', `/t${query}`, { headers, body: 'x' })).status).toBe(200)
    }
  })

  test('a connection may send other tokens, and one that was revoked is refused on it', async () => {
    const [ada, bob] = [await app.addUser(), await app.addUser()]
    const { body: key } = await app.post('/integrations/keys', { name: 'k' }, bob.token)
    const connection = new Client(app.url)
    onTestFinished(() => connection.close())
    const statusFor = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await connection.request({ method: 'POST', path: '/ntfy/t', headers, body: 'x' })
      await answer.body.dump()
      return answer.statusCode
    }
    expect([await statusFor(ada.token), await statusFor(key.key), await statusFor(key.key)]).toEqual([200, 200, 200])
    expect([(await inboxOf(app, ada)).length, (await inboxOf(app, bob)).length]).toEqual([1, 2])
    await app.del(`/integrations/keys/${key.id}`, bob.token)
    expect(await statusFor(key.key)).toBe(401)
  })

  test('401 for a token that is unknown, and for an alias of another door', async () => {
    for (const token of ['tk_00000000000000000000000000000', 'A00000000000000', 'x']) {
      const { status, body, headers } = await ask('POST', '/t', { headers: { authorization: `Bearer ${token}` } })
      expect([status, body]).toEqual([
        401,
        {
          code: 40101,
          http: 401,
          error: 'unauthorized',
          link: 'https://ntfy.sh/docs/publish/#authentication',
        },
      ])
      expect([headers.get('www-authenticate'), headers.get('access-control-allow-origin')]).toEqual([null, '*'])
    }
  })

  test('403 without a token, with a scheme that ntfy does not know, and for a key that may not send', async () => {
    const user = await app.addUser()
    const readOnly = await app.addKey(user, { permissions: { widgets: 'read' } })
    for (const authorization of [undefined, 'WebPush abc', `Bearer ${readOnly}`]) {
      const headers: Record<string, string> = authorization ? { authorization } : {}
      const { status, body } = await ask('POST', '/t', { headers, body: 'x' })
      expect([status, body.code, body.error]).toEqual([403, 40301, 'forbidden'])
    }
  })

  test('429 after 20 refused tokens a minute', async () => {
    app.advanceSeconds(60)
    const codes = []
    for (let i = 0; i < 21; i++) {
      codes.push((await ask('POST', '/t', { headers: { authorization: 'Bearer tk_no' } })).body.code)
    }
    expect(codes).toEqual([...Array(20).fill(40101), 42909])
    app.advanceSeconds(60)
  })

  test('200 for many messages that one address sends at the same time', async () => {
    const headers = { ...headersFor(await app.addUser()), expect: '100-continue', 'content-length': 1 }
    const sends = Array.from({ length: 30 }, () => request(`${app.url}/ntfy/t`, { method: 'POST', headers }))
    const answers = sends.map((send) => once(send, 'response'))
    for (const send of sends) send.flushHeaders()
    // All have arrived before the first is complete.
    await Promise.all(sends.map((send) => once(send, 'continue')))
    for (const send of sends) send.end('x')
    const statuses = (await Promise.all(answers)).map(([answer]) => answer.resume().statusCode)
    expect(statuses).toEqual(sends.map(() => 200))
  })
})

test('429 when the quota is used up', async () => {
  const user = await app.addUser('free')
  await setUsed(app, user, 'notifications', 500)
  const { status, body, headers } = await ask('POST', '/t', { headers: headersFor(user), body: 'x' })
  expect([status, body.code]).toEqual([429, 42908])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('413 for a file over 15 megabytes', async () => {
  const user = await app.addUser()
  const content = 'x'.repeat(15 * 1024 * 1024 + 1)
  const { status, body } = await ask('PUT', '/t', { headers: headersFor(user), body: content })
  expect([status, body.code]).toEqual([413, 41301])
})

test('404 for a path that ntfy does not have, in its form', async () => {
  const user = await app.addUser()
  for (const [method, path] of [
    ['POST', '/bad!topic'],
    ['POST', '/a/b/c/d'],
    ['GET', '/t'],
    ['GET', '/a,b/publish'],
    ['POST', `/${'a'.repeat(65)}`],
    ['PATCH', '/t'],
  ] as const) {
    const { status, body } = await ask(method, path, { headers: headersFor(user) })
    expect([path, status, body]).toEqual([path, 404, { code: 40401, http: 404, error: 'page not found' }])
  }
})

test('HEAD publishes nothing', async () => {
  const user = await app.addUser()
  expect((await ask('HEAD', '/t/publish', { headers: headersFor(user) })).status).toBe(404)
  expect(await inboxOf(app, user)).toEqual([])
})

test.each(['', '/', '/t', '/t/seq', '/v1/account'])('OPTIONS %s allows requests of any page', async (path) => {
  const { status, headers } = await ask('OPTIONS', path)
  const of = (name: string) => headers.get(`access-control-allow-${name}`)
  expect([status, of('origin'), of('methods'), of('headers')]).toEqual([200, '*', 'GET, PUT, POST, PATCH, DELETE', '*'])
})

describe('information', () => {
  test.each([
    ['/v1/health', { healthy: true }],
    ['/v1/stats', { messages: 0, messages_rate: 0 }],
  ])('200 for GET %s without a token', async (path, answer) => {
    expect(await ask('GET', path)).toMatchObject({ status: 200, body: answer })
  })

  test('404 for the discovery of UnifiedPush, so that apps look for a distributor that takes their pushes', async () => {
    expect(await ask('GET', '/upAbC123?up=1')).toMatchObject({ status: 404, body: { code: 40401 } })
  })

  test('GET /v1/config has the address of the door', async () => {
    const { body } = await ask('GET', '/v1/config')
    expect(body).toMatchObject({
      base_url: `${app.url}/ntfy`,
      enable_login: true,
      require_login: true,
      enable_signup: false,
      enable_emails: false,
      disallowed_topics: expect.arrayContaining(['docs', 'account']),
    })
  })

  test('GET /<topics>/auth is 200, 401 or 403', async () => {
    const user = await app.addUser()
    expect(await ask('GET', '/a,b/auth', { headers: headersFor(user) })).toMatchObject({ body: { success: true } })
    expect((await ask('GET', '/a/auth', { headers: { authorization: 'Bearer x' } })).status).toBe(401)
    expect((await ask('GET', '/a/auth')).status).toBe(403)
  })

  test('GET /v1/account has the name and whole numbers, as Home Assistant requires', async () => {
    const user = await app.addUser('free')
    await ask('POST', '/t', { headers: headersFor(user), body: 'x' })
    const { body } = await ask('GET', '/v1/account', { headers: headersFor(user) })
    expect(body).toMatchObject({
      username: user.name,
      role: 'user',
      stats: { messages: 1, messages_remaining: 499 },
      limits: { messages: 500 },
    })
    expect(Object.values(body.stats as object).every(Number.isInteger)).toBe(true)
    const { body: anonymous } = await ask('GET', '/v1/account')
    expect(anonymous).toMatchObject({ username: '*', role: 'anonymous' })
    expect((await ask('GET', '/v1/account', { headers: { authorization: 'Bearer x' } })).status).toBe(401)
  })

  test('GET /v1/account has what was used and what is left of messages, e-mails and files', async () => {
    const user = await app.addUser('free')
    await setUsed(app, user, 'notifications', 10)
    await setUsed(app, user, 'emails', 3)
    const file = { headers: headersFor(user, { Filename: 'log.txt' }), body: 'x'.repeat(1000) }
    expect((await ask('PUT', '/t', file)).status).toBe(200)
    const { body } = await ask('GET', '/v1/account', { headers: headersFor(user) })
    const [largest, all] = [15 * 1024 * 1024, 150 * 1024 * 1024]
    expect(body.limits).toMatchObject({
      basis: 'tier',
      messages: 500,
      emails: 50,
      attachment_file_size: largest,
      attachment_total_size: all,
      attachment_expiry_duration: 86_400,
    })
    expect(body.stats).toMatchObject({
      messages: 11,
      messages_remaining: 489,
      emails: 3,
      emails_remaining: 47,
      attachment_total_size: 1000,
      attachment_total_size_remaining: all - 1000,
    })
    const nobody = (await ask('GET', '/v1/account')).body
    expect(nobody.limits).toMatchObject({ basis: 'ip', messages: 0 })
  })

  test('a plan without a limit has a million, here and at the door for Pushover', async () => {
    const plans = JSON.stringify({ paid: { notifications: 'unlimited' } })
    const unlimited = await startTestApp({ HELIOGRAPH_PLANS: plans })
    onTestFinished(() => unlimited.stop())
    const user = await unlimited.addUser()
    const { body } = await askNtfy(unlimited, 'GET', '/v1/account', { headers: headersFor(user) })
    expect(body).toMatchObject({ limits: { messages: 1_000_000 }, stats: { messages_remaining: 1_000_000 } })
    const limits = await unlimited.get(`/pushover/1/apps/limits.json?token=${user.defaultKey}`)
    expect(limits.body).toMatchObject({ limit: 1_000_000, remaining: 1_000_000 })
  })

  test('403 for a key that may not send, which deletes and clears no message either', async () => {
    const user = await app.addUser()
    await ask('POST', '/t/s', { headers: headersFor(user), body: 'stays' })
    const defaultKey = await app.addKey(user, { permissions: { activities: 'manage', widgets: 'write' } })
    const headers = headersFor({ ...user, defaultKey })
    for (const [method, path] of [
      ['DELETE', '/t/s'],
      ['PUT', '/t/s/clear'],
      ['PUT', '/t/s/read'],
    ] as const) {
      expect([method, path, (await ask(method, path, { headers })).body.code]).toEqual([method, path, 40301])
    }
    const [kept, ...others] = await inboxOf(app, user)
    expect([kept.body, kept.read_at, others]).toEqual(['stays', undefined, []])
  })

  test('POST /v1/account/token gives back the token that was sent as a password', async () => {
    const user = await app.addUser()
    const headers = { authorization: basic('ada', user.defaultKey) }
    const { status, body } = await ask('POST', '/v1/account/token', { headers, body: '{"label":"Home Assistant"}' })
    expect([status, body.token, body.expires]).toEqual([200, user.defaultKey, 0])
    expect((await ask('POST', '/v1/account/token')).status).toBe(403)
    expect((await ask('POST', '/v1/account/token', { headers: { authorization: 'Bearer x' } })).status).toBe(401)
  })

  test('403 for tokens that may neither send nor receive here: nothing of the account is told', async () => {
    const user = await app.addUser()
    const gotifyApp = await addApp(app, user, 'gotify')
    const link = (await app.post('/wall/links', { name: 'Hall' }, user.token)).body
    const tokens = {
      widget: await createToken(app.app.ctx, user.userId, 'hlw'),
      wall: /hlw_\w+/.exec(JSON.stringify(link))?.[0],
      powerless: await app.addKey(user, { permissions: { widgets: 'none' } }),
      gotify: gotifyApp.password,
    }
    for (const [name, token] of Object.entries(tokens)) {
      const headers = { authorization: `Bearer ${token}` }
      for (const [method, path] of [
        ['GET', '/v1/account'],
        ['POST', '/v1/account/token'],
      ] as const) {
        const { status, text } = await ask(method, path, { headers })
        expect([name, path, status, text]).toEqual([name, path, 403, expect.stringContaining('40301')])
        expect(text).not.toContain(user.name)
      }
      const limits = await fetch(`${app.url}/pushover/1/apps/limits.json?token=${token}`)
      expect([name, limits.status, await limits.json()]).toEqual([
        name,
        403,
        expect.not.objectContaining({ limit: expect.anything() }),
      ])
    }
  })

  test('401 for GET /v1/version, which Home Assistant forgives', async () => {
    const { body } = await ask('GET', '/v1/version', { headers: headersFor(await app.addUser()) })
    expect(body.code).toBe(40101)
  })
})

test('at the root of a host name of its own', async () => {
  const named = await startTestApp({ HELIOGRAPH_NTFY_HOST: 'ntfy.example.org' })
  onTestFinished(() => named.stop())
  const user = await named.addUser()
  const send = (path: string, host: string, body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${user.defaultKey}` }
      const sent = request(`${named.url}${path}`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end(body)
    })
  expect(await send('/alerts', 'ntfy.example.org', 'x')).toBe(200)
  expect(await send('/', 'NTFY.example.org:8443', '{"topic":"alerts"}')).toBe(200)
  expect(await send('/alerts', 'example.org', 'x')).toBe(404)
  expect((await named.get('/notifications', user.token)).body.items).toHaveLength(2)
})

test('no path at the root of a host name leads to the API', async () => {
  const named = await startTestApp({ HELIOGRAPH_NTFY_HOST: 'ntfy.example.org' })
  onTestFinished(() => named.stop())
  const { token } = await named.addUser()
  const headers = { host: 'ntfy.example.org', authorization: `Bearer ${token}` }
  const { hostname, port } = new URL(named.url)
  const statusOf = async (path: string): Promise<number> => {
    // A path of the options is sent as it is; one in a URL would be normalized.
    const [answer] = await once(request({ hostname, port, path, headers }).end(), 'response')
    answer.resume()
    return answer.statusCode
  }
  const paths = [
    '/auth/me',
    '//auth/me',
    '/../auth/me',
    '/%2e%2e/auth/me',
    '/..%2fauth%2fme',
    '/x/../../auth/me',
    '/x/%2e%2e/%2e%2e/auth/me',
    '/..\\auth\\me',
    '/;/../auth/me',
    '/answers/../auth/me',
    `/files/${'a'.repeat(FILE_ID_CHARS)}/../../auth/me`,
    'http://example.org/auth/me',
  ]
  const statuses = await Promise.all(paths.map(async (path) => [path, await statusOf(path)]))
  expect(statuses).toEqual(paths.map((path) => [path, 404]))
})
