// Rules for every request: paths, methods, headers, media types and bodies, before any endpoint handles it.
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { ROUTES } from '../../support/matrix/rows.ts'

const app = useTestApp()
let user: TestUser
beforeAll(async () => {
  user = await app.addUser()
  await app.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value' } }, user.token)
})

const JSON_TYPE = 'application/json'
const send = (method: string, path: string, raw: string | Uint8Array, type = JSON_TYPE) =>
  app.call(method, path, { token: user.token, raw, headers: { 'content-type': type } })
const patch = (raw: string | Uint8Array, type?: string) => send('PATCH', '/widgets/w', raw, type)

describe('paths and methods', () => {
  test.each(['/nothing', '/widgets/w/x', '//widgets', '/WIDGETS', '/widgets%2fw'])(
    '404 route.not_found for %s',
    async (path) => {
      expectProblem(await app.get(path, user.token), 404, 'route.not_found')
    },
  )

  test('404 is a page with a link to the console for a person who opens the address in a browser', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml' }
    const page = await fetch(`${app.url}/nothing`, { headers })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<a href="/app/">Open the console</a>')
    const sent = await fetch(`${app.url}/nothing`, { method: 'POST', headers })
    expect(sent.headers.get('content-type')).toContain('application/problem+json')
  })

  test('404 and 405 are answered before the body is parsed', async () => {
    expectProblem(await send('POST', '/nothing', 'x', 'text/plain'), 404, 'route.not_found')
    expectProblem(await send('PUT', '/widgets', '{', JSON_TYPE), 405, 'route.method_not_allowed')
  })

  test('404 does not repeat the query string, which may contain a secret', async () => {
    const refused = await app.get('/nothing?token=hla_secret')
    expect(refused.body.detail).toBe('There is nothing at GET /nothing.')
  })

  test.each(['/widgets/%', '/widgets/%zz', '/widgets/%c3%28', '/%ff'])('400 path.invalid for %s', async (path) => {
    expectProblem(await app.get(path, user.token), 400, 'path.invalid')
  })

  test('400 slug.invalid or path.too_long for any length of a path segment', async () => {
    expectProblem(await app.get('/widgets/', user.token), 400, 'slug.invalid')
    expectProblem(await app.get(`/widgets/${'x'.repeat(2048)}`, user.token), 400, 'slug.invalid')
    expectProblem(await app.get(`/widgets/${'x'.repeat(2049)}`, user.token), 400, 'path.too_long')
    expectProblem(await app.get(`/widgets/${'x'.repeat(14_000)}`, user.token), 400, 'path.too_long')
    expectProblem(await app.del(`/integrations/keys/${'x'.repeat(65)}`, user.token), 400, 'path.too_long')
  })

  test('400 path.too_long for an id that the server never made, on every route that takes one', async () => {
    const asked = ROUTES.filter(({ problems = [], access }) => problems.includes('path.too_long') && access === 'user')
    expect(asked.length).toBeGreaterThan(20)
    for (const { method, url } of asked) {
      const path = url.replace(/:(\w+_id)/g, 'x'.repeat(65)).replace(/:\w+/g, '1')
      const { status, body } = await app.call(method, path, { token: user.token })
      expect([method, url, status, body.code]).toEqual([method, url, 400, 'path.too_long'])
    }
  })

  test.each([
    ['DELETE', '/widgets', 'GET, HEAD, POST'],
    ['PUT', '/widgets/w', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/health', 'GET, HEAD'],
    ['OPTIONS', '/auth/me', 'GET, HEAD, PATCH'],
    ['GET', '/auth/token/rotate', 'POST'],
    ['HEAD', '/auth/link', 'POST'],
    ['PROPFIND', '/widgets', 'GET, HEAD, POST'],
  ])('405 route.method_not_allowed for %s %s, with Allow', async (method, path, allow) => {
    const refused = await app.call(method, path, { token: user.token })
    expect(refused.headers.get('allow')).toBe(allow)
    if (method !== 'HEAD') expectProblem(refused, 405, 'route.method_not_allowed')
    expect(refused.status).toBe(405)
  })

  test('HEAD answers like GET, without the body', async () => {
    for (const path of ['/health', '/auth/me', '/widgets', '/widgets/w', '/integrations/keys', '/openapi.json']) {
      const get = await app.call('GET', path, { token: user.token, headers: { 'accept-encoding': 'identity' } })
      const head = await app.call('HEAD', path, { token: user.token, headers: { 'accept-encoding': 'identity' } })
      expect([path, head.status, head.text]).toEqual([path, get.status, ''])
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    }
    const events = await app.call('HEAD', '/events', { token: user.token })
    expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect((await app.call('HEAD', '/widgets/none', { token: user.token })).status).toBe(404)
    expect((await app.call('HEAD', '/widgets')).status).toBe(401)
  })
})

describe('headers', () => {
  test('every answer has a unique request id, which a client cannot choose', async () => {
    const ids = new Set<string | null>()
    const paths = ['/health', '/nothing', '/widgets/%zz', '/widgets', '/docs', '/', '/app/']
    for (const path of paths) {
      const answer = await app.call('GET', path, { headers: { 'x-request-id': 'mine' } })
      expect(answer.headers.get('x-request-id'), path).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
      ids.add(answer.headers.get('x-request-id'))
    }
    expect(ids.size).toBe(paths.length)
  })

  test('JSON answers are compressed if accepted and larger than 1 KiB', async () => {
    const encodingOf = async (path: string, accepted: string) => {
      const answer = await app.call('GET', path, { token: user.token, headers: { 'accept-encoding': accepted } })
      return answer.headers.get('content-encoding')
    }
    expect(await encodingOf('/openapi.json', 'gzip')).toBe('gzip')
    expect(await encodingOf('/openapi.json', 'br, gzip')).toBe('br')
    expect(await encodingOf('/openapi.json', 'identity')).toBeNull()
    expect(await encodingOf('/health', 'gzip')).toBeNull()
    expect(await encodingOf('/auth/me', 'gzip')).toBeNull()
  })
})

describe('media types', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
  ])('200 a PATCH as %s', async (type) => {
    expect((await patch('{"name":"W"}', type)).status).toBe(200)
  })

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'json',
    '/',
  ])('415 request.media_type_unsupported for %s', async (type) => {
    expectProblem(await patch('{"name":"W"}', type), 415, 'request.media_type_unsupported')
  })

  test('415 for a body without a Content-Type', async () => {
    const answer = await fetch(`${app.url}/widgets/w`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${user.token}` },
      body: new Uint8Array(Buffer.from('{"name":"W"}')),
    })
    expect(answer.status).toBe(415)
  })

  test('415 a merge patch is accepted for PATCH only', async () => {
    const raw = JSON.stringify({ slug: 'w', name: 'W', content: { template: 'value' } })
    const refused = await send('POST', '/widgets', raw, 'application/merge-patch+json')
    expectProblem(refused, 415, 'request.media_type_unsupported')
  })

  test('a Content-Type on a request without a body is ignored', async () => {
    const calls: [method: string, path: string, status: number][] = [
      ['GET', '/widgets', 200],
      ['POST', '/integrations/default-key', 200],
      ['DELETE', '/widgets/none', 404],
    ]
    for (const [method, path, status] of calls) {
      for (const type of ['application/json', 'text/plain', 'nonsense']) {
        const answer = await app.call(method, path, { token: user.token, headers: { 'content-type': type } })
        expect([method, path, type, answer.status]).toEqual([method, path, type, status])
      }
    }
  })
})

test('a body is ignored where the route takes none', async () => {
  for (const type of ['application/json', 'text/plain', 'nonsense']) {
    for (const raw of ['{', '{"a":"\\u0000"}', '\xff']) {
      expect((await send('POST', '/integrations/default-key', raw, type)).status).toBe(200)
      expect((await send('DELETE', '/widgets/none', raw, type)).status).toBe(404)
    }
  }
})

describe('R39: bodies', () => {
  const depth = (levels: number) => `{"content":${'{"a":'.repeat(levels - 2)}{}${'}'.repeat(levels - 2)}}`

  test.each([
    ['malformed', '{"name":'],
    ['two documents', '{"name":"a"}{"name":"b"}'],
    ['a duplicate key', '{"name":"a","name":"b"}'],
    ['an escaped duplicate key', '{"name":"a","n\\u0061me":"b"}'],
    ['a byte order mark', '\ufeff{"name":"a"}'],
    ['NaN', '{"content":{"value":NaN}}'],
    ['white space alone', '  \n'],
    ['33 levels', depth(33)],
    ['5,000 levels', depth(5000)],
    ['100,000 open brackets', '['.repeat(100_000)],
  ])('400 request.body_invalid: %s', async (_what, raw) => {
    expectProblem(await patch(raw), 400, 'request.body_invalid')
  })

  test.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
    ['gzip without Content-Encoding', gzipSync('{"name":"a"}')],
  ])('400 request.body_invalid: %s', async (_what, raw) => {
    expectProblem(await patch(raw), 400, 'request.body_invalid')
  })

  test('32 levels are parsed, and checked by the schema', async () => {
    expectProblem(await patch(depth(32)), 422, 'request.validation_failed')
  })

  test('413 request.too_large from one byte over 1 MiB', async () => {
    const spaces = (bytes: number) => `{"name":"W"${' '.repeat(bytes - 12)}}`
    expect((await patch(spaces(LIMITS.request.maxBodyBytes))).status).toBe(200)
    expectProblem(await patch(spaces(LIMITS.request.maxBodyBytes + 1)), 413, 'request.too_large')
  })

  test.each(['null', '[]', '[1]', '"text"', '5', 'true'])('400 or 422: %s is not a patch', async (raw) => {
    const refused = await patch(raw)
    expect([400, 422]).toContain(refused.status)
    expectProblem(
      refused,
      refused.status,
      refused.status === 400 ? 'request.body_required' : 'request.validation_failed',
    )
  })

  test.each(['1e400', '-1e999'])('422 for %s, which is not finite', async (number) => {
    const refused = await patch(`{"content":{"value":${number}}}`)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(refused.body.errors).toEqual([
      { location: 'body.content.value', message: expect.stringContaining('finite') },
    ])
  })

  test.each(['"5"', 'true', '[]', '{}'])('422 for %s in place of a number: nothing is converted', async (value) => {
    expectProblem(await patch(`{"content":{"value":${value}}}`), 422, 'request.validation_failed')
  })
})

describe('R38: keys that could modify prototypes', () => {
  test.each([
    '{"__proto__":{"polluted":1}}',
    '{"\\u005f_proto__":{"polluted":1}}',
    '{"__proto__":null}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"content":{"__proto__":{"polluted":1}}}',
    '{"content":{"tap_action":{"url":"https://a.b","headers":{"__proto__":"x"}}}}',
    '{"content":{"tap_action":{"url":"https://a.b","headers":{"constructor":"x"}}}}',
  ])('400 request.body_invalid for %s', async (raw) => {
    const before = Reflect.ownKeys(Object.prototype)
    expectProblem(await patch(raw), 400, 'request.body_invalid')
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('R22: text that one of the databases cannot store', () => {
  test.each(['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ud83d\\ud83d'])('422 for "%s"', async (text) => {
    expectProblem(await patch(`{"name":"${text}"}`), 422, 'request.validation_failed')
    expectProblem(await patch(`{"content":{"label":"${text}"}}`), 422, 'request.validation_failed')
    const headers = `{"url":"https://a.b","headers":{"X-${text}":"v"}}`
    expectProblem(await patch(`{"content":{"tap_action":${headers}}}`), 422, 'request.validation_failed')
  })

  test.each(['\u0001', '\u007f', '\u2028', '\ufffe', '\u{10ffff}', 'é', 'e\u0301', '👩‍👩‍👧‍👦', '‮'])(
    '200 %j is stored unchanged',
    async (text) => {
      expect((await patch(JSON.stringify({ name: text }))).body.name).toBe(text)
      expect((await app.get('/widgets/w', user.token)).body.name).toBe(text)
    },
  )

  test.each([
    ['-0', 0],
    ['1e308', 1e308],
    ['9007199254740993', 9007199254740992],
    ['5e-324', 5e-324],
    ['0.1', 0.1],
  ])('200 the number %s is stored as %d', async (written, value) => {
    expect((await patch(`{"content":{"value":${written}}}`)).status).toBe(200)
    expect((await app.get('/widgets/w', user.token)).body.content.value).toBe(value)
  })
})

describe('Strict-Transport-Security', () => {
  const HEADER = 'strict-transport-security'
  const PATHS = ['/app/', '/health', '/auth/me', '/nothing', '/ntfy/v1/health']

  test('is in every answer if the public address is one of https', async () => {
    const own = await startTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://push.example.org' })
    onTestFinished(() => own.stop())
    for (const path of PATHS) {
      expect([path, (await own.get(path)).headers.get(HEADER)]).toEqual([path, 'max-age=15552000'])
    }
  })

  test('is in none without one', async () => {
    for (const path of PATHS) expect([path, (await app.get(path)).headers.has(HEADER)]).toEqual([path, false])
  })
})
