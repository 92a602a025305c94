// Bodies that do not match their headers or their route, on every route with a body.
import { once } from 'node:events'
import { deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'
import { openSocket } from '../../support/raw-http.ts'

type Route = { method: string; path: string }

const { log, lines } = createMemoryLog()
const app = useTestApp({}, { log })
let user: TestUser
let routes: Route[]
beforeAll(async () => {
  user = await app.addUser()
  await app.setPlan(user, 'paid')
  // Whether the caller is in the organization is checked before the body is read.
  const organization = (await app.post('/orgs', { name: 'Ops' }, user.token)).body.id
  const { paths } = (await app.get('/openapi.json')).body as { paths: Record<string, Record<string, object>> }
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => 'requestBody' in operation)
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path
          .replaceAll('{id}', '1')
          .replace('{org_id}', organization)
          .replace(/\{[^}]+\}/g, 'x'),
      })),
  )
})

function send({ method, path }: Route, raw: string | Uint8Array, encoding?: string) {
  // Signing in and the demo have their own rate limits.
  app.advanceSeconds(20)
  const headers = { 'x-heliograph-console': '1', ...(encoding && { 'content-encoding': encoding }) }
  return app.call(method, path, { token: user.token, raw, headers })
}
const errorLines = () => lines.filter((line) => JSON.parse(line).level >= 50)

describe('a body that is not an object', () => {
  test.each(['null', '0', '""', '[]', 'true', '"x"', '[null]', '1e400'])(
    '400 or 422 for %s, on every route with a body but that of a file',
    async (raw) => {
      expect(routes.length).toBeGreaterThan(20)
      for (const route of routes.filter(({ path }) => !path.endsWith('/files'))) {
        const refused = await send(route, raw)
        expect([400, 422], `${route.method} ${route.path} ${refused.text}`).toContain(refused.status)
        expectProblem(refused, refused.status, refused.body.code)
      }
    },
  )
})

describe('Content-Encoding', () => {
  const patchMe = { method: 'PATCH', path: '/auth/me' }
  const body = '{"nickname":"Zip"}'

  test.each(['zstd', 'x', 'compress', 'gzip, gzip', '\x9b31m'])(
    '415 request.media_type_unsupported for %j, on every route with a body',
    async (encoding) => {
      for (const route of routes)
        expectProblem(await send(route, '{}', encoding), 415, 'request.media_type_unsupported')
    },
  )

  test.each([
    ['gzip', body],
    ['br', body],
    ['deflate', body],
    ['gzip', gzipSync(body).subarray(0, -4)],
    ['gzip', deflateSync(body)],
  ])('400 request.body_invalid for a body that is not valid %s', async (encoding, raw) => {
    for (const route of routes) expectProblem(await send(route, raw, encoding), 400, 'request.body_invalid')
  })

  test('200 for a body in the declared encoding', async () => {
    expect((await send(patchMe, gzipSync(body), 'gzip')).body.nickname).toBe('Zip')
    expect((await send(patchMe, body, 'identity')).status).toBe(200)
  })

  test('413 for a body that is too large when decompressed', async () => {
    expectProblem(await send(patchMe, gzipSync(Buffer.alloc(50_000_000, ' ')), 'gzip'), 413, 'request.too_large')
  })

  test('is ignored without a body, and where the route takes none', async () => {
    const headers = { 'content-encoding': 'zstd' }
    expect((await app.call('GET', '/widgets', { token: user.token, headers })).status).toBe(200)
    expect((await app.call('DELETE', '/widgets/none', { token: user.token, headers })).status).toBe(404)
    expect((await app.call('POST', '/integrations/default-key', { token: user.token, raw: 'x', headers })).status).toBe(
      200,
    )
  })

  test('refusals are not logged as errors', () => {
    expect(errorLines()).toEqual([])
  })
})

describe('clients that disconnect', () => {
  const requestLines = () => lines.filter((line) => JSON.parse(line).msg === 'request').length

  test('with unread requests: no error is logged', async () => {
    const before = requestLines()
    for (let i = 0; i < 40; i++) {
      const socket = await openSocket(app.url)
      socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3))
      socket.resetAndDestroy()
    }
    await eventually(() => expect(requestLines()).toBeGreaterThan(before))
    await app.get('/health')
    expect(errorLines()).toEqual([])
  })

  test('in the middle of a body: no error is logged', async () => {
    const before = requestLines()
    const head = `PATCH /auth/me HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer ${user.token}\r\n`
    for (const end of ['resetAndDestroy', 'end'] as const) {
      const socket = await openSocket(app.url)
      socket.write(`${head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{"nick`)
      // The server answers "continue" when it starts to read.
      await once(socket, 'data')
      socket[end]()
    }
    await eventually(() => expect(requestLines()).toBeGreaterThanOrEqual(before + 2))
    expect(errorLines()).toEqual([])
  })

  test('in the middle of a body that a door reads after it has found the caller: no error is logged', async () => {
    const before = requestLines()
    for (const end of ['resetAndDestroy', 'end'] as const) {
      const socket = await openSocket(app.url)
      const head = `POST /gotify/message?token=${user.defaultKey} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
      socket.write(`${head}Content-Length: 100000\r\n\r\n{"message`)
      // Not before the server has begun with the request.
      await app.get('/health')
      socket[end]()
    }
    await eventually(() => expect(requestLines()).toBeGreaterThanOrEqual(before + 4))
    expect(errorLines()).toEqual([])
  })
})
