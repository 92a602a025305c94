// Two nodes on PostgreSQL behind a proxy: nodes that are restarted one at a time fail no request.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/fakes/free-port.ts'
import { runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { connectFrom, PROXIES, type RunningProxy } from './proxies.ts'

const CLIENTS = 4

type Ask = (api: TestClient, key: string) => Promise<{ status: number }>

const send: Ask = (api, key) => api.post('/notifications', { title: 'Title', body: 'Body' }, key)
const read: Ask = (api, key) => api.get('/notifications', key)

// Caddy before 2.11.2, such as Debian's, does not pass a request with a body on to another node: caddyserver/caddy#7546.
const REQUESTS: Record<string, Ask[]> = { nginx: [send, read], Caddy: [read] }

describe.each(PROXIES)('%s', (name, startProxy) => {
  test('passes every request to a node that serves while the nodes are restarted one at a time', async () => {
    const environment = await emptyPostgres()
    const ports = [await freePort(), await freePort()]
    const serve = (port = 0) =>
      startHeliograph(['serve'], { environment: { ...environment, HELIOGRAPH_PORT: String(port) } })
    const nodes = [await serve(ports[0]), await serve(ports[1])]
    const proxy = await startProxy(...ports)
    connectFrom(proxy, '127.0.0.1')
    const load = keepAsking(proxy, await addAccount(environment), REQUESTS[name] ?? [])
    for (const [index, port] of ports.entries()) {
      await load.untilAnswered(50)
      expect(await nodes[index]?.end('SIGTERM')).toMatchObject({ code: 0 })
      await load.untilAnswered(50)
      const node = await serve(port)
      nodes[index] = node
      // A proxy notices after some seconds that a node is back. Until then the other one must stay.
      await eventually(() => expect(node.output()).toContain('/notifications'))
    }
    await load.untilAnswered(50)
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

function keepAsking(proxy: RunningProxy, key: string, requests: Ask[]) {
  const api = createClient(proxy.url)
  const failures: unknown[] = []
  let answered = 0
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const ask = requests[client % requests.length] as Ask
    while (!isOver) {
      await ask(api, key).catch((error) => failures.push(error))
      answered += 1
    }
  })
  return {
    untilAnswered: (more: number) => {
      const goal = answered + more
      return eventually(() => expect(answered).toBeGreaterThanOrEqual(goal))
    },
    // Returns the failures. A status of the proxy, such as 502, is one: no route of the server declares it.
    async end() {
      isOver = true
      await Promise.all(clients)
      return failures
    },
  }
}
