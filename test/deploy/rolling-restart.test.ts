// R52: two nodes on PostgreSQL behind a proxy, at 200 requests a second: restarting one at a time fails no request.
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/fakes/free-port.ts'
import { runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { secondsSince } from './measures.ts'
import { connectFrom, PROXIES, type RunningProxy } from './proxies.ts'

const REQUESTS_PER_SECOND = 200
const BURSTS_PER_SECOND = 20
// On a machine that is too slow for the rate, requests would pile up until the proxy has no connections left.
const MOST_RUNNING = 100
// nginx does not ask /ready: it turns to the other node when this one refuses a connection.
const DRAIN_SECONDS: Record<string, string> = { nginx: '0', HAProxy: '5', Caddy: '5' }

type Ask = (api: TestClient, key: string) => Promise<{ status: number; body: unknown }>

const send: Ask = (api, key) => api.post('/notifications', { title: 'Title', body: 'Body' }, key)
const read: Ask = (api, key) => api.get('/notifications', key)

describe.each(PROXIES)('%s', (name, startProxy) => {
  test('R52 passes every request to a node that serves while the nodes are restarted one at a time', async () => {
    const environment = { ...(await emptyPostgres()), HELIOGRAPH_DRAIN_SECONDS: DRAIN_SECONDS[name] }
    const ports = [await freePort(), await freePort()]
    const serve = (port = 0) =>
      startHeliograph(['serve'], { environment: { ...environment, HELIOGRAPH_PORT: String(port) } })
    const nodes = [await serve(ports[0]), await serve(ports[1])]
    const proxy = await startProxy(...ports)
    connectFrom(proxy, '127.0.0.1')
    const load = keepAsking(proxy, await addAccount(environment))
    for (const [index, port] of ports.entries()) {
      await load.untilAnswered(500)
      expect(await nodes[index]?.end('SIGTERM')).toMatchObject({ code: 0 })
      await load.untilAnswered(500)
      const node = await serve(port)
      nodes[index] = node
      // A proxy notices after some seconds that a node is back. Until then the other one must stay.
      await eventually(() => expect(node.output()).toContain('/notifications'))
    }
    await load.untilAnswered(500)
    expect(await load.end()).toEqual([])
  })
})

async function emptyPostgres(): Promise<Environment> {
  const database = await createTestDatabase('postgres')
  onTestFinished(() => database.drop())
  return { ...database.environment, HELIOGRAPH_TRUST_PROXY: '127.0.0.1', HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0' }
}

// Returns the default key of a new account.
async function addAccount(environment: Environment): Promise<string> {
  const { stdout } = await runHeliograph(['user', 'add', 'anna', '--plan', 'paid', '--json'], { environment })
  return JSON.parse(stdout).default_key
}

// Requests start at a fixed rate, whether or not earlier ones are answered, up to a bound. What a slow moment has delayed
// starts after it.
function keepAsking(proxy: RunningProxy, key: string) {
  const api = createClient(proxy.url)
  const running = new Set<Promise<unknown>>()
  const failures: unknown[] = []
  const startedMs = performance.now()
  let started = 0
  let answered = 0

  async function start(ask: Ask) {
    try {
      const { status, body } = await ask(api, key)
      answered += 1
      if (status >= 400) failures.push({ status, body })
    } catch (error) {
      // A status of the proxy, such as 502, is an error too: no route of the server declares it.
      failures.push(error)
    }
  }

  const timer = setInterval(() => {
    const due = secondsSince(startedMs) * REQUESTS_PER_SECOND
    for (; started < due && running.size < MOST_RUNNING; started++) {
      const asking = start(started % 2 === 0 ? send : read).finally(() => running.delete(asking))
      running.add(asking)
    }
  }, 1000 / BURSTS_PER_SECOND)
  return {
    untilAnswered: (more: number) => {
      const goal = answered + more
      return vi.waitFor(() => expect(answered).toBeGreaterThanOrEqual(goal), { timeout: 60_000 })
    },
    // Returns the failures.
    async end() {
      clearInterval(timer)
      await Promise.all(running)
      process.stdout.write(`${answered} requests, ${Math.round(answered / secondsSince(startedMs))} a second\n`)
      return failures
    },
  }
}
