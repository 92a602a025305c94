// Decision 61: what a body may cost, on every route that the server registers. Costs are counted, not timed: how much the
// server reads before it refuses. test/faults/hostile-bodies.test.ts measures time and memory.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { addHook } from '../../support/hooks/hook.ts'
import {
  chunksOfOneByte,
  type HostileAnswer,
  type HostileBody,
  hostileBodies,
  JSON_TYPE,
  sendHostile,
} from '../../support/hostile/bodies.ts'
import { type RegisteredRoute, recordRoutes } from '../../support/hostile/routes.ts'
import { isNightly } from '../../support/nightly.ts'
import { openSocket, parseAnswers, readAll } from '../../support/raw-http.ts'

const CHUNKS = 40_000
// Of 240 KB. Node reads 64 KB at a time; the headers may have a read of their own.
const MOST_READ_OF_CHUNKS = 2 * 64 * 1024
const SMALL_BYTES = 128 * 1024
const LONGEST_ANSWER_CHARS = 20_000
const AT_ONCE = 8

const recording = recordRoutes()
// Optional features are on, so that a 503 would be a failure.
const app = useTestApp({ ...mailSettings(1), HELIOGRAPH_APPLE_AUDIENCE: 'org.example' })
let user: TestUser
let params: Record<string, string>
beforeAll(async () => {
  recording.stop()
  user = await app.addUser()
  const created = async (path: string, body: object) => (await app.post(path, body, user.token)).body
  const hook = await addHook(app, {}, user)
  const heartbeat = await created('/heartbeats', { slug: 'h', name: 'H', every_seconds: 60, grace_seconds: 60 })
  params = {
    org_id: (await created('/orgs', { name: 'Ops' })).id,
    id: '1',
    hook: new URL(hook.url).pathname.split('/')[2] as string,
    ping: new URL(heartbeat.ping_url).pathname.split('/')[2] as string,
  }
})

// What the server has read from the connection of each request.
const requests = new Map<string, IncomingMessage>()
const record = (message: unknown) => {
  const { request } = message as { request: IncomingMessage }
  requests.set(String(request.headers['x-number']), request)
}
subscribe('http.server.request.start', record)
afterAll(() => void unsubscribe('http.server.request.start', record))

let sent = 0
async function attack(
  { method, url, isDoor, takesBody }: RegisteredRoute,
  body: HostileBody,
): Promise<HostileAnswer & { readBytes: number }> {
  const token = isDoor ? user.defaultKey : user.token
  const path = url.replace(/:(\w+)|\*/g, (_, name = '') => {
    if (name === 'token') return (url.startsWith('/ping') ? params.ping : params.hook) as string
    return params[name] ?? 'x'
  })
  const number = String(++sent)
  // Signing in, refused tokens and the demo have limits by the minute.
  app.advanceSeconds(20)
  // Without a body, some would delete the account.
  const headers = [`X-Number: ${number}`, ...(takesBody ? [`Authorization: Bearer ${token}`] : [])]
  const answer = await sendHostile(app.url, { method, path: `${path}?token=${token}`, headers }, body)
  const readBytes = requests.get(number)?.socket.bytesRead ?? 0
  requests.delete(number)
  return { ...answer, readBytes }
}

async function forEachAtOnce<T>(items: T[], use: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await use(item)
    }),
  )
}

type Case = { route: RegisteredRoute; body: HostileBody }
// `npm test` sends each route two of the bodies in turn, the nightly tests all of them.
const cases = (routes: RegisteredRoute[], bodies: HostileBody[]): Case[] =>
  routes.flatMap((route, index) =>
    bodies
      .filter((_, number) => isNightly || (number - index) % Math.ceil(bodies.length / 2) === 0)
      .map((body) => ({ route, body })),
  )
// Routes without a body ignore it, and some of a door do; to a webhook, everything is a message.
const isRefusal = ({ takesBody, isDoor }: RegisteredRoute, status: number) =>
  status < 500 && (status >= 400 || !takesBody || isDoor)
const named = ({ route, body }: Case) => `${route.method} ${route.url} ${body.type} ${body.what}`

describe('decision 61: every registered route', () => {
  test('is found: those of openapi.json, of the pages, of MCP and of the doors', async () => {
    const { paths } = (await app.get('/openapi.json')).body as { paths: Record<string, object> }
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    const found = new Set(recording.routes.map(({ method, url }) => `${method} ${url}`))
    expect(described.filter((route) => !found.has(route))).toEqual([])
    const hidden = ['/mcp', '/answers/:ticket/form', '/ntfy/:topic', '/gotify/message', '/pushover/1/messages.json']
    for (const url of [...hidden, '/hooks/:token', '/ping/:token']) expect(found).toContain(`POST ${url}`)
  })

  test('reads at most 1 MiB into memory', () => {
    const larger = recording.routes.filter(({ bodyLimit = 0 }) => bodyLimit > LIMITS.request.maxBodyBytes)
    expect(larger).toEqual([])
  })

  test('refuses chunks of one byte, in every media type, and reads no more of them', async () => {
    const bodies = hostileBodies(CHUNKS).filter(({ isChunked }) => isChunked)
    const all = [
      ...cases(
        recording.routes.filter(({ takesBody }) => takesBody),
        bodies,
      ),
      ...cases(
        recording.routes.filter(({ takesBody }) => !takesBody),
        bodies.slice(0, 1),
      ),
    ]
    const faults: string[] = []
    await forEachAtOnce(all, async (one) => {
      const { status, readBytes } = await attack(one.route, one.body)
      if (!isRefusal(one.route, status) || readBytes > MOST_READ_OF_CHUNKS) {
        faults.push(`${named(one)}: ${status} after ${readBytes} bytes`)
      }
    })
    expect(faults).toEqual([])
  })

  test('refuses too many fields, parts, names and levels with a short answer', async () => {
    const bodies = hostileBodies(0).filter(({ bytes, isChunked }) => !isChunked && bytes.length < SMALL_BYTES)
    const faults: string[] = []
    const routes = recording.routes.filter(({ takesBody }) => takesBody)
    await forEachAtOnce(cases(routes, bodies), async (one) => {
      const { status, text } = await attack(one.route, one.body)
      if (!isRefusal(one.route, status) || text.length > LONGEST_ANSWER_CHARS) {
        faults.push(`${named(one)}: ${status}, ${text.length} characters`)
      }
    })
    expect(faults).toEqual([])
  })
})

describe('a body in too many small chunks', () => {
  const chunked = (type = JSON_TYPE) => chunksOfOneByte(type, CHUNKS)

  test.each([
    ['POST', '/notifications', '"code":"request.body_invalid"'],
    ['POST', '/ntfy/t', '"http":400'],
    ['POST', '/gotify/message', '"errorCode":400'],
    ['POST', '/pushover/1/messages.json', '"status":0'],
    ['POST', '/ping/:token', 'The body comes in too many small chunks.'],
    ['POST', '/answers/:ticket', '"code":"request.body_invalid"'],
  ])('is refused with 400 in the form of %s %s', async (method, url, expected) => {
    const isDoor = /^\/(ntfy|gotify|pushover|ping)/.test(url)
    const answer = await attack({ method, url, isDoor, takesBody: true }, chunked())
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text).toContain(expected)
    expect(answer.text).toMatch(/^connection: close$/im)
  })

  test('is refused if it is compressed', async () => {
    const bytes = Buffer.concat([...gzipSync(Buffer.alloc(9000, ' '), { level: 0 })].map(asChunk))
    const post = (encoding: string) =>
      sendHostile(
        app.url,
        { method: 'POST', path: '/answers/x', headers: [`Content-Encoding: ${encoding}`] },
        { ...chunked(), bytes },
      )
    expect((await post('gzip')).status).toBe(400)
    expect((await post('br')).status).toBe(400)
    expect((await app.get('/health')).status).toBe(200)
  })

  test('leaves other connections able to send bodies', async () => {
    // The parser of a refused connection is used again.
    for (let i = 0; i < 20; i++) {
      await attack({ method: 'POST', url: '/notifications', isDoor: false, takesBody: true }, chunked())
      expect((await app.post('/notifications', { title: 'T', body: 'B' }, user.defaultKey)).status).toBe(201)
    }
  })
})

const asChunk = (byte: number) => Buffer.from([0x31, 13, 10, byte, 13, 10])

describe('POST /answers/{ticket}/form', () => {
  const post = (text: string) =>
    sendHostile(
      app.url,
      { method: 'POST', path: '/answers/x/form' },
      { what: 'a form', type: 'application/x-www-form-urlencoded', bytes: Buffer.from(text) },
    )

  test('400 for more than 1,000 fields, which are not parsed', async () => {
    const { status, text } = await post('a&'.repeat(20_000))
    expect(status).toBe(400)
    expect(text).toContain('The form has more than 1000 fields.')
  })

  test('413 for more than 64 KiB', async () => {
    expect((await post('a'.repeat(65_537))).status).toBe(413)
  })

  test('404 for the longest answer to an unknown ticket: it is read', async () => {
    expect((await post(`action_id=a&text=${encodeURIComponent('😀'.repeat(4096))}`)).status).toBe(404)
  })
})

describe('a multipart form', () => {
  test('413 when its fields have more than 1 MiB together', async () => {
    const part = `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'v'.repeat(60_000)}\r\n`
    const bytes = Buffer.from(part.repeat(20))
    const body = { what: 'fields', type: 'multipart/form-data; boundary=x', bytes }
    expect((await sendHostile(app.url, { method: 'POST', path: '/pushover/1/messages.json' }, body)).status).toBe(413)
  })
})

describe('bodies in small chunks that are accepted', () => {
  test('201 for a notification in chunks of one byte', async () => {
    const json = Buffer.from(JSON.stringify({ title: 'T', body: 'B'.repeat(300) }))
    const bytes = Buffer.concat([...[...json].map(asChunk), Buffer.from('0\r\n\r\n')])
    const headers = [`Authorization: Bearer ${user.defaultKey}`, 'Connection: close']
    const route = { method: 'POST', path: '/notifications', headers }
    const answer = await sendHostile(app.url, route, { ...chunksOfOneByte(JSON_TYPE, 0), bytes })
    expect(answer.status, answer.text).toBe(201)
  })

  test('200 for 1,000 lines of a program, each in a chunk', async () => {
    const line = `${'a line of its output'.padEnd(45, '.')}\n`
    const chunk = `${line.length.toString(16)}\r\n${line}\r\n`
    const bytes = Buffer.from(`${chunk.repeat(1000)}0\r\n\r\n`)
    const headers = [`Authorization: Bearer ${user.defaultKey}`, 'Connection: close']
    const route = { method: 'PUT', path: '/ntfy/log', headers }
    const answer = await sendHostile(app.url, route, { ...chunksOfOneByte('text/plain', 0), bytes })
    expect(answer.status, answer.text).toBe(200)
  })
})

describe('a body that no route wants', () => {
  const MB = 1024 * 1024
  const unauthorized = 'POST /notifications HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

  test('is read to its end after the response, and the connection serves the next request', async () => {
    const socket = await openSocket(app.url)
    const answers = readAll(socket)
    socket.write(`${unauthorized}Content-Length: ${2 * MB}\r\n\r\n`)
    socket.write(Buffer.alloc(2 * MB, ' '))
    socket.write('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(parseAnswers(await answers).map(({ status }) => status)).toEqual([401, 200])
  })

  test('is read up to 16 MiB after the response; then the connection ends', async () => {
    const piece = Buffer.concat([
      Buffer.from(`${(64 * 1024).toString(16)}\r\n`),
      Buffer.alloc(64 * 1024),
      Buffer.from('\r\n'),
    ])
    const bytes = Buffer.concat(Array.from({ length: 1024 }, () => piece))
    const number = String(++sent)
    const route = { method: 'POST', path: '/notifications', headers: [`X-Number: ${number}`] }
    const { status } = await sendHostile(app.url, route, { ...chunksOfOneByte(JSON_TYPE, 0), bytes })
    expect(status).toBe(401)
    expect(requests.get(number)?.socket.bytesRead).toBeLessThan(17 * MB)
  })

  test('is not read if more than that is announced', async () => {
    const socket = await openSocket(app.url)
    const answers = readAll(socket)
    socket.write(`${unauthorized}Content-Length: ${2 ** 40}\r\n\r\n`)
    const [answer] = parseAnswers(await answers)
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([401, 'close'])
  })

  test('413 for a compressed body that decompresses to nothing', async () => {
    const nothing = gzipSync('')
    const bytes = Buffer.concat(Array.from({ length: Math.ceil((1.5 * MB) / nothing.length) }, () => nothing))
    const framed = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')])
    const body = { ...chunksOfOneByte(JSON_TYPE, 0), bytes: framed }
    const headers = ['Content-Encoding: gzip', 'Connection: close']
    const { status } = await sendHostile(app.url, { method: 'POST', path: '/answers/x', headers }, body)
    expect(status).toBe(413)
  })
})
