// The previous release and this one side by side on one PostgreSQL: nodes are replaced one by one, while clients use all of
// them, and neither version answers a request with an error or logs one. This one has a migration more than it has, so that
// one runs under load even if no release has added any. HELIOGRAPH_UPGRADE_MINUTES says for how long.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Environment } from '../../../src/runtime/config.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { type RunningProcess, runNode, startHeliograph } from '../../support/heliograph-process.ts'
import { buildPreviousRelease } from '../../support/postgres-faults/previous-release.ts'
import { counted, measured } from '../../support/reliability/measured.ts'
import { createWriters } from '../../support/writers.ts'

const NEXT_RELEASE = fileURLToPath(new URL('../../support/postgres-faults/next-release.mjs', import.meta.url))
const MINUTES = Number(process.env.HELIOGRAPH_UPGRADE_MINUTES ?? 0.5)
const CLIENTS = 4
const PAUSE_MS = 20

// Ten minutes to build the previous release and to start and stop the nodes.
vi.setConfig({ testTimeout: (10 + MINUTES) * 60_000 })

test('nodes of the previous release and of this one serve one database without an error', async () => {
  const previous = buildPreviousRelease()
  const environment = await emptyPostgres()
  const startPrevious = () => startHeliograph(['serve'], { environment, main: previous })
  const start = () => startHeliograph(['serve'], { environment, main: NEXT_RELEASE })
  const nodes = [await startPrevious(), await startPrevious()]
  const everyNode = [...nodes]
  const tokens = [await addKey(previous, environment)]
  // An account may send 5,000 notifications a day, and clients send up to 4,000 a minute.
  for (const { token } of await createWriters(environment, Math.ceil(MINUTES))) tokens.push(token)
  const load = keepAsking(nodes, tokens)
  await load.untilAsked(40)

  // Migrates the database under the nodes of the previous release.
  const first = await start()
  nodes.push(first)
  await delay(MINUTES * 60_000)
  const [older, oldest] = [nodes.shift(), nodes.shift()] as [RunningProcess, RunningProcess]
  await load.untilAsked(40)
  await older.end('SIGTERM')
  const second = await start()
  nodes.push(second)
  await load.untilAsked(40)
  await oldest.end('SIGTERM')
  await load.untilAsked(40)

  const { asked, failures } = await load.end()
  const logged = [...everyNode, first, second].flatMap(loggedErrors)
  expect({ failures, logged }).toEqual({ failures: [], logged: [] })
  measured('R52', 'postgres', `rolling upgrade: ${counted(asked)} requests to two versions on one database, 0 errors`)
})

async function emptyPostgres(): Promise<Environment> {
  const database = await createTestDatabase('postgres', 'empty')
  onTestFinished(() => database.drop())
  return { ...database.environment, HELIOGRAPH_PORT: '0', HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0' }
}

async function addKey(main: string, environment: Environment): Promise<string> {
  const { stdout } = await runNode([main, 'user', 'add', 'anna', '--plan', 'paid', '--json'], { environment })
  return JSON.parse(stdout).default_key
}

const loggedErrors = (node: RunningProcess): string[] =>
  node
    .output()
    .split('\n')
    .filter((line) => /"level":(50|60)|"level":"(error|fatal)"/.test(line))

type Request = { method: string; path: string; body?: string; headers?: Record<string, string> }

// What the migrations since the previous release touch, and the most common requests.
const requestsOf = (number: number): Request[] => [
  { method: 'POST', path: '/notifications', body: JSON.stringify({ title: `T${number}`, body: 'B', push: false }) },
  { method: 'POST', path: '/notifications', body: JSON.stringify({ title: `T${number}`, body: 'B' }) },
  { method: 'GET', path: '/notifications?limit=10' },
  { method: 'POST', path: '/ntfy/backups', body: `message ${number}`, headers: { 'x-sequence-id': `s${number % 5}` } },
  {
    method: 'POST',
    path: '/widgets',
    body: JSON.stringify({ slug: `w${number % 4}`, name: 'W', content: gauge(number) }),
  },
  { method: 'GET', path: `/widgets/w${number % 4}` },
  { method: 'GET', path: '/auth/me' },
]

const gauge = (number: number) => ({ template: 'gauge', value: number % 100, min_value: 0, max_value: 100 })

// `nodes` and `tokens` may change meanwhile.
function keepAsking(nodes: RunningProcess[], tokens: string[]) {
  const failures: string[] = []
  let asked = 0
  let isOver = false

  async function ask({ url }: RunningProcess, token: string, { method, path, body, headers }: Request) {
    const init = {
      method,
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    }
    const answer = await fetch(url + path, init)
    const text = await answer.text()
    asked += 1
    if (answer.status >= 400) failures.push(`${method} ${path} ${answer.status} ${text}`)
  }

  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let number = client; !isOver; number++) {
      const token = tokens[number % tokens.length] as string
      for (const request of requestsOf(number)) {
        // The nodes change during a request, so one is chosen for each.
        const node = nodes[number % nodes.length] as RunningProcess
        await ask(node, token, request).catch((error) => failures.push(`${request.method} ${request.path} ${error}`))
        await delay(PAUSE_MS)
      }
    }
  })
  return {
    async untilAsked(more: number) {
      const goal = asked + more
      while (asked < goal) await delay(20)
    },
    async end() {
      isOver = true
      await Promise.all(clients)
      return { asked, failures }
    },
  }
}
