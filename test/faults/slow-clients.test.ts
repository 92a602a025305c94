// R41: 500 clients each that send their headers slowly, send their body slowly, or stay idle. The slow ones are disconnected,
// and requests beside them are answered. Clients that do not read are in test/http/stalled-answers.test.ts.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { counted, measured } from '../support/reliability/measured.ts'

const OF_EACH_KIND = 500
const DRIP_MS = 2000
// 30 s for a request, and up to 5 s until the server looks at its connections; the rest is for slow machines.
const DISCONNECTED_WITHIN_MS = 90_000

type SlowClient = { begin: string; drip?: string }

const slowClients = (key: string): SlowClient[] => [
  { begin: 'POST /widgets HTTP/1.1\r\nhost: a\r\n', drip: 'x-a: b\r\n' },
  {
    begin: `POST /widgets HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 10000\r\n\r\n`,
    drip: ' ',
  },
]

describe.each(['sqlite', 'postgres'] as const)('R41 on %s', (kind) => {
  test(`${3 * OF_EACH_KIND} slow and idle clients: the slow ones are disconnected, other requests are answered`, async () => {
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = {
      ...database.environment,
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
      HELIOGRAPH_MAX_CONNECTIONS_PER_ADDRESS: '0',
      HELIOGRAPH_LOG_LEVEL: 'warn',
    }
    const added = await runHeliograph(['user', 'add', 'anna', '--plan', 'paid', '--json'], { environment })
    const { default_key: key } = JSON.parse(added.stdout)
    const server = await startHeliograph(['serve'], { environment })
    const asking = keepAsking(server.url, key)
    await asking.untilAsked(20)
    const alone = asking.takeLatencies()

    const slow: Socket[] = []
    for (const client of slowClients(key)) slow.push(...(await openMany(server.url, client)))
    const idle = await openMany(server.url, { begin: '' })
    const open = () => slow.filter(({ destroyed }) => !destroyed).length
    await vi.waitFor(() => expect(open()).toBe(0), { timeout: DISCONNECTED_WITHIN_MS, interval: 500 })
    await asking.untilAsked(20)
    const beside = asking.takeLatencies()
    await asking.end()
    for (const socket of idle) socket.destroy()
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const p99 = `p99 ${p99Of(beside)} ms (${p99Of(alone)} ms without them)`
    measured(
      'R41',
      kind,
      `${counted(slow.length + idle.length)} slow and idle clients: all slow ones disconnected; ${counted(beside.length)} other requests, ${p99}`,
    )
  })
})

async function openMany(url: string, { begin, drip }: SlowClient): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let opened = 0; opened < OF_EACH_KIND; opened++) {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.resume()
    socket.write(begin)
    const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), DRIP_MS)
    socket.on('close', () => clearInterval(dripping))
    sockets.push(socket)
  }
  return sockets
}

// Sends and reads, one request after the other; every one must be answered.
function keepAsking(url: string, key: string) {
  const api = createClient(url)
  let latencies: number[] = []
  let over = false
  const running = (async () => {
    for (let n = 0; !over; n++) {
      const startedAtMs = performance.now()
      const { status } =
        n % 2 === 0
          ? await api.post('/notifications', { title: 'T', body: 'B' }, key)
          : await api.get('/notifications?limit=10', key)
      expect([200, 201]).toContain(status)
      latencies.push(performance.now() - startedAtMs)
      await delay(20)
    }
  })()
  return {
    takeLatencies() {
      const taken = latencies
      latencies = []
      return taken
    },
    untilAsked: (count: number) =>
      vi.waitFor(() => expect(latencies.length).toBeGreaterThanOrEqual(count), { timeout: 60_000 }),
    async end() {
      over = true
      await running
    },
  }
}

const p99Of = (latencies: number[]) =>
  Math.round(latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0)
