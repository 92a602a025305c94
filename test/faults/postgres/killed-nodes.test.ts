// R16: two `serve` and two `work` nodes on one PostgreSQL, each killed once under load. Everything accepted reaches its
// device, the others take over within 17 seconds, and a push that was under way comes again under the same apns-id.
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Environment } from '../../../src/runtime/config.ts'
import { createClient } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { apnsSettings } from '../../support/devices/apns-settings.ts'
import { phone } from '../../support/devices/devices.ts'
import { type FakeApns, startFakeApns } from '../../support/fakes/fake-apns.ts'
import { freePort } from '../../support/fakes/free-port.ts'
import { type RunningProcess, startHeliograph } from '../../support/heliograph-process.ts'
import { type SenderAccount, startSenders } from '../../support/postgres-faults/senders.ts'
import { isMachineFree } from '../../support/reliability/machine-load.ts'
import { counted, measured } from '../../support/reliability/measured.ts'
import { createWriters } from '../../support/writers.ts'

const ACCOUNTS = 4
const SCHEDULED = 20
// The lease of a job, and the time until a worker looks.
const TAKEOVER_MS = 17_000

test('R16 each of four nodes is killed under load: everything accepted is pushed, and again only with its apns-id', async () => {
  const apns = await startFakeApns()
  onTestFinished(() => apns.close())
  const database = await createTestDatabase('postgres')
  onTestFinished(() => database.drop())
  const environment = { ...database.environment, ...apnsSettings(apns), HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0' }
  const nodes = [
    await startNode('serve', environment),
    await startNode('serve', environment),
    await startNode('work', environment),
    await startNode('work', environment),
  ]
  const accounts = await addPhones(environment, nodes)
  await schedule(accounts)
  const senders = startSenders(accounts, {})
  for (const node of nodes) {
    await senders.untilAccepted(5)
    await node.kill()
    await senders.untilAcceptedByOthers(5, node.url)
    await node.restart()
  }
  await senders.untilAccepted(5)
  const log = await senders.end()

  const stored = await readStored(environment)
  const accepted = log.requests.filter(({ outcomes }) => outcomes.includes('accepted'))
  expect(accepted.filter(({ title }) => !stored.has(title))).toEqual([])
  await vi.waitFor(() => expect(unpushed(apns, stored)).toEqual([]), { timeout: 60_000, interval: 500 })
  const { duplicates, idsPerTitle } = countPushes(apns)
  expect(idsPerTitle).toBe(1)
  // Each sender has one request under way when a node is killed, and each node a few schedules.
  expect(duplicates).toBeLessThanOrEqual(nodes.length * (accounts.length + 2))
  const takeoverMs = longestWait(apns, stored)
  if (isMachineFree) expect(takeoverMs).toBeLessThan(TAKEOVER_MS)
  const figures = `${counted(accepted.length)} accepted, 4 kills: 0 lost, ${duplicates} pushes came twice with the same apns-id`
  measured('R16', 'postgres', `${figures}, taken over within ${(takeoverMs / 1000).toFixed(1)} s`)
})

type Node = { url: string; kill(): Promise<unknown>; restart(): Promise<void> }

async function startNode(role: 'serve' | 'work', environment: Environment): Promise<Node> {
  // A node comes back under the same address.
  const port = String(await freePort())
  const start = () => startHeliograph([role], { environment: { ...environment, HELIOGRAPH_PORT: port } })
  let running: RunningProcess = await start()
  return {
    url: running.url,
    kill: () => running.end('SIGKILL'),
    async restart() {
      running = await start()
    },
  }
}

// A sender per account and node that serves.
async function addPhones(environment: Environment, nodes: Node[]): Promise<SenderAccount[]> {
  const writers = await createWriters(environment, ACCOUNTS)
  const serving = nodes.filter(({ url }) => url !== '')
  for (const { token } of writers) {
    expect((await createClient(serving[0]?.url as string).put('/devices/phone', phone(), token)).status).toBe(201)
  }
  return serving.flatMap(({ url }) => writers.map(({ token }) => ({ token, nodeUrl: url })))
}

// Every node, also those without a listener, has something to do from the start.
async function schedule(accounts: SenderAccount[]): Promise<void> {
  for (let number = 0; number < SCHEDULED; number++) {
    const { token, nodeUrl } = accounts[number % accounts.length] as SenderAccount
    const send_at = new Date(Date.now() + 5000 + number * 1000).toISOString()
    const body = { title: `scheduled-${number}`, body: 'B', send_at }
    expect((await createClient(nodeUrl).post('/notifications/scheduled', body, token)).status).toBe(201)
  }
}

// When each notification was stored, by its title.
type Stored = Map<string, number>

async function readStored({ HELIOGRAPH_DATABASE_URL: url }: Environment): Promise<Stored> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(`select content::json ->> 'title' as title, created_at
    from notification_contents join notifications on id = notification_id`)
  await client.end()
  return new Map(rows.map(({ title, created_at }) => [title, Number(created_at)]))
}

type Push = { title: string; apnsId: string; receivedAtMs: number }

const pushes = ({ requests }: FakeApns): Push[] =>
  requests
    .filter(({ isAccepted }) => isAccepted)
    .map(({ payload, headers, receivedAtMs }) => ({
      title: JSON.parse(payload).aps.alert.title,
      apnsId: String(headers['apns-id']),
      receivedAtMs,
    }))

function unpushed(apns: FakeApns, stored: Stored): string[] {
  const pushed = new Set(pushes(apns).map(({ title }) => title))
  return [...stored.keys()].filter((title) => !pushed.has(title))
}

function countPushes(apns: FakeApns) {
  const all = pushes(apns)
  const byTitle = [...Map.groupBy(all, ({ title }) => title).values()]
  const idsByTitle = byTitle.map((ofTitle) => new Set(ofTitle.map(({ apnsId }) => apnsId)).size)
  return {
    duplicates: all.length - new Set(all.map(({ apnsId }) => apnsId)).size,
    idsPerTitle: Math.max(...idsByTitle),
  }
}

// From the commit of a notification to its last push, which is that of the node that took over.
function longestWait(apns: FakeApns, stored: Stored): number {
  const lastPush = new Map(
    pushes(apns).map(({ title, receivedAtMs }) => [title, performance.timeOrigin + receivedAtMs]),
  )
  const waits = [...stored].map(([title, storedAtMs]) => (lastPush.get(title) ?? 0) - storedAtMs)
  return Math.max(...waits)
}
