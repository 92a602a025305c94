// R52: a server that stops answers every request that the kernel has taken from a client.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextCheck } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeServer } from '../../src/boot/listen.ts'
import { endConnectionsOnClose, type Grace } from '../../src/http/connections/end.ts'
import type { HttpServer } from '../../src/http/fastify-types.ts'
import { eventually } from '../support/eventually.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const PATIENCE_MS = 10_000
const NEVER_MS = 3_600_000

type Client = Socket & { received: string }

async function startServer(grace: Grace, trustProxy: string[] = []): Promise<FastifyInstance> {
  const app = fastify({ return503OnClosing: false, forceCloseConnections: false })
  endConnectionsOnClose(app, trustProxy, grace)
  app.get('/', async () => 'answered')
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.server.closeAllConnections())
  return app
}

const stop = (app: FastifyInstance) => closeServer(app as unknown as HttpServer, PATIENCE_MS)

function open(app: FastifyInstance): Client {
  const client = Object.assign(connect((app.server.address() as AddressInfo).port, '127.0.0.1'), { received: '' })
  client.setEncoding('utf8').on('data', (text) => {
    client.received += text
  })
  client.on('error', () => {})
  onTestFinished(() => void client.destroy())
  return client
}

// A connection that has been used and is now idle.
async function openIdle(app: FastifyInstance): Promise<Client> {
  const client = open(app)
  client.write(REQUEST)
  await eventually(() => expect(client.received).toContain('answered'))
  client.received = ''
  return client
}

function blockEventLoop(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('a server that stops', () => {
  test('accepts the connections that wait in its accept queue', async () => {
    const app = await startServer({ directMs: 50, proxyMs: 50 })
    // The kernel completes these connections before the event loop polls.
    const clients = Array.from({ length: 20 }, () => open(app))
    const stopped = stop(app)
    for (const client of clients) client.write(REQUEST)
    await stopped
    await eventually(() => expect(clients.filter(({ received }) => !received.includes('answered'))).toEqual([]))
  })

  test('answers a request that was sent on an idle connection just before the connection would be closed', async () => {
    const app = await startServer({ directMs: 200, proxyMs: 200 })
    const client = await openIdle(app)
    const stopped = stop(app)
    await eventually(() => expect(app.server.listening).toBe(false))
    // After an immediate the timers run, and only then are connections polled.
    await nextCheck()
    client.write(REQUEST)
    blockEventLoop(300)
    await stopped
    await eventually(() => expect(client.received).toContain('answered'))
  })

  test('closes idle connections of clients', async () => {
    const app = await startServer({ directMs: 10, proxyMs: NEVER_MS })
    const ended = once(await openIdle(app), 'close')
    await stop(app)
    await ended
  })

  test('gives a trusted proxy more time to close its idle connections, and still answers on them', async () => {
    const app = await startServer({ directMs: 10, proxyMs: NEVER_MS }, ['127.0.0.1'])
    const [idle, used] = [await openIdle(app), await openIdle(app)]
    const stopped = stop(app)
    await eventually(() => expect(app.server.listening).toBe(false))
    blockEventLoop(50)
    used.write(REQUEST)
    await eventually(() => expect(used.received).toMatch(/connection: close/i))
    expect(idle.destroyed).toBe(false)
    idle.end()
    await stopped
  })
})
