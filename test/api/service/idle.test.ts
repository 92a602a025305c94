// Timeouts and limits of connections (R41), and a stop that answers all requests in flight (R52).
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockUser } from '../../../src/store/accounts/accounts.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { fileOf } from '../../support/database/open-database.ts'
import { holdWriteLock } from '../../support/database/sqlite-lock.ts'
import { eventually } from '../../support/eventually.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'
import { openSocket, parseAnswers, readAll, sendLines } from '../../support/raw-http.ts'

// Node publishes every request that a server starts to handle.
type Started = { request: IncomingMessage; server: Server }
const started: Started[] = []
const note = (message: unknown) => void started.push(message as Started)
beforeEach(() => {
  started.splice(0)
  subscribe('http.server.request.start', note)
})
afterEach(() => void unsubscribe('http.server.request.start', note))

const widget = (slug: string) => ({ slug, name: 'W', content: { template: 'value' } })

// Blocks inserts of widgets of this user in the database until released.
async function holdUser(app: TestApp, user: TestUser): Promise<() => void> {
  if (!isPostgres()) return holdWriteLock(fileOf(app.database))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await new Promise<void>((held) => {
    void app.app.ctx.db.transact(async (tx) => {
      await lockUser(tx, user.userId)
      setImmediate(held)
      await released
    })
  })
  return release
}

describe.skipIf(sqliteSuffices())('R41: slow and many clients', () => {
  test('the server has timeouts of 10 s for headers, 30 s for requests and 30 s for unread answers, and a connection limit', async () => {
    const app = await startTestApp({ HELIOGRAPH_MAX_CONNECTIONS: '123' })
    await app.get('/health')
    const server = started[0]?.server
    await app.stop()
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      timeout: 30_000,
      maxConnections: 123,
    })
    expect(server?.keepAliveTimeout).toBeGreaterThan(60_000)
    expect(server?.keepAliveTimeout).toBeLessThan(120_000)
  })

  test('a connection above the limit is closed, and accepted again once others are closed', async () => {
    const app = await startTestApp({ HELIOGRAPH_MAX_CONNECTIONS: '3' })
    const kept = [await openSocket(app.url), await openSocket(app.url), await openSocket(app.url)]
    expect(await readAll(await openSocket(app.url))).toBe('')
    for (const socket of kept) socket.destroy()
    await eventually(async () => {
      expect((await sendLines(app.url, ['GET /health HTTP/1.1', 'Host: a'])).status).toBe(200)
    })
    await app.stop()
  })
})

describe.skipIf(sqliteSuffices())('R52: stopping', () => {
  test('every request in flight is answered; new connections are refused', async () => {
    const app = await startTestApp()
    const user = await app.addUser()
    await app.get('/health')
    started.splice(0)
    const release = await holdUser(app, user)
    const posts = Array.from({ length: 40 }, (_, index) => app.post('/widgets', widget(`w${index}`), user.token))
    await eventually(() => expect(started).toHaveLength(40))

    const stopped = app.stop()
    await eventually(() => expect(openSocket(app.url)).rejects.toThrow('ECONNREFUSED'))
    release()
    const answers = await Promise.all(posts)
    await stopped
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(Array(40).fill('close'))
  })

  test('a request that arrives after the stop began is answered with Connection: close', async () => {
    const app = await startTestApp()
    const user = await app.addUser()
    await app.get('/health')
    const socket = await openSocket(app.url)
    const received = readAll(socket)
    const release = await holdUser(app, user)
    const held = app.post('/widgets', widget('w'), user.token)
    await eventually(() => expect(started.at(-1)?.request.url).toBe('/widgets'))

    const stopped = app.stop()
    await eventually(() => expect(openSocket(app.url)).rejects.toThrow('ECONNREFUSED'))
    socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
    const [answer] = parseAnswers(await received)
    release()
    await stopped
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close'])
    expect((await held).status).toBe(201)
  })

  test('F18 a request that arrives on a kept-alive connection after the stop began is answered with Connection: close', async () => {
    const app = await startTestApp()
    const user = await app.addUser()
    await app.get('/health')
    const health = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'
    const kept = await openSocket(app.url)
    const received = readAll(kept)
    kept.write(health)
    await once(kept, 'data')
    const release = await holdUser(app, user)
    const held = app.post('/widgets', widget('w'), user.token)
    await eventually(() => expect(started.at(-1)?.request.url).toBe('/widgets'))

    const stopped = app.stop()
    await eventually(() => expect(openSocket(app.url)).rejects.toThrow('ECONNREFUSED'))
    kept.write(health)
    const answers = parseAnswers(await received)
    release()
    await stopped
    const closes = answers.map(({ status, headers }) => [status, headers.get('connection')])
    expect(closes).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ])
    expect((await held).status).toBe(201)
  })

  test('silent, idle and half-sent requests do not delay the stop', async () => {
    const app = await startTestApp()
    const health = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'
    const ended = ['', health, 'GET /hea', `${health}GET /hea`].map(async (bytes) => {
      const socket = await openSocket(app.url)
      socket.write(bytes)
      return parseAnswers(await readAll(socket)).map(({ status }) => status)
    })
    await eventually(() => expect(started).toHaveLength(2))
    await app.stop()
    expect(await Promise.all(ended)).toEqual([[], [200], [], [200]])
  })

  test('C9 a part that fails to stop is logged, and all others are stopped', async () => {
    const { log, lines } = createMemoryLog()
    const app = await startTestApp({}, undefined, { log })
    app.app.worker.untilIdle = () => Promise.reject(new Error('no end in sight'))
    await app.app.stop()
    const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'cannot stop a part')
    expect(failures.map(({ err }) => err.message)).toEqual(['no end in sight', 'no end in sight'])
    // The next start finds the database and its lock free.
    const next = await startTestApp({}, app.database)
    expect((await next.get('/ready')).status).toBe(200)
    await next.stop()
    await app.database.drop()
  })

  test('stop() can be called twice', async () => {
    const app = await startTestApp()
    await app.app.stop()
    await expect(app.app.stop()).resolves.toBeUndefined()
    await app.database.drop()
  })
})
