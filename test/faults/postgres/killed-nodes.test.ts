// R16: two `serve` and two `work` nodes on one PostgreSQL, each killed once under load. Every accepted notification reaches its
// device. Those that the killed node had not finished are pushed by the others within 17 seconds of the kill, and a push that
// was under way comes again under the same apns-id.
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
// The lease of a job lasts 15 s, and workers look for jobs every second.
const TAKEOVER_MS = 17_000

test('R16 two serve and two work nodes are killed one by one under load: the others push everything that was accepted within 17 s, and again only with its apns-id', async () => {
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
  const killedAtMs: number[] = []
  for (const node of nodes) {
    await senders.untilAccepted(5)
    killedAtMs.push(Date.now())
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
  const takeoverMs = longestTakeover(apns, stored, killedAtMs)
  // The goal is for a machine that nothing else uses.
  if (isMachineFree) expect(takeoverMs).toBeLessThan(TAKEOVER_MS)
  const figures = `${counted(accepted.length)} accepted, 4 kills: 0 lost, ${duplicates} pushes came twice with the same apns-id`
  measured('R16', 'postgres', `${figures}; last push of the others ${(takeoverMs / 1000).toFixed(1)} s after a kill`)
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

// The longest time from a kill to the last push of a notification that was stored before it.
function longestTakeover(apns: FakeApns, stored: Stored, killedAtMs: number[]): number {
  const lastPushAtMs = new Map(
    pushes(apns).map(({ title, receivedAtMs }) => [title, performance.timeOrigin + receivedAtMs]),
  )
  const takeovers = [...stored].map(([title, storedAtMs]) => {
    const nextKillAtMs = killedAtMs.find((at) => at >= storedAtMs) ?? Number.POSITIVE_INFINITY
    return (lastPushAtMs.get(title) ?? 0) - nextKillAtMs
  })
  return Math.max(0, ...takeovers)
}
