// R16: two processes on one PostgreSQL share the repeats, expiries and callbacks of many alerts. One is killed during
// the repeats and its successor during the callbacks, and nothing is lost.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { type CallbackSink, startCallbackSink } from '../support/fakes/callback-sink.ts'
import { emptyFolder, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { measured } from '../support/reliability/measured.ts'

const ALERTS = 50
const ACKNOWLEDGE = { repeat_seconds: 30, expire_seconds: 60 }

async function startSink(): Promise<CallbackSink> {
  const sink = await startCallbackSink(() => 0)
  onTestFinished(() => sink.close())
  return sink
}

async function emptyPostgres({ ca }: CallbackSink): Promise<Environment> {
  const database = await createTestDatabase('postgres')
  onTestFinished(() => database.drop())
  const caFile = join(emptyFolder(), 'ca.pem')
  writeFileSync(caFile, ca)
  return {
    ...database.environment,
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: caFile,
  }
}

type Account = { token: string; default_key: string }

// As many accounts as the limit of active alerts requires.
async function addUsers(environment: Environment): Promise<Account[]> {
  const add = async (name: string) =>
    JSON.parse((await runHeliograph(['user', 'add', name, '--plan', 'paid', '--json'], { environment })).stdout)
  return [await add('anna'), await add('berta')]
}

async function sendAll(client: TestClient, users: Account[], callback_url: string) {
  const body = { title: 'Fire', body: 'B', acknowledge: ACKNOWLEDGE, callback_url }
  return Promise.all(
    Array.from({ length: ALERTS }, async (_, index) => {
      const { default_key: key } = users[index % users.length] as Account
      const { status, body: sent } = await client.post('/notifications', body, key)
      expect(status).toBe(201)
      return { id: sent.id as number, key }
    }),
  )
}

const within = (seconds: number, check: () => unknown) => vi.waitFor(check, { timeout: seconds * 1000, interval: 100 })

test('R16 jobs claimed by a killed node are run by others: no repeat is lost or duplicated, every callback arrives', async () => {
  const sink = await startSink()
  const environment = await emptyPostgres(sink)
  const start = () => startHeliograph(['serve'], { environment })
  const survivor = await start()
  const client = createClient(survivor.url)
  const receiver = sink.receiver()
  const doomed = await start()
  const alerts = await sendAll(client, await addUsers(environment), receiver.url)
  const receipts = () =>
    Promise.all(alerts.map(async ({ id, key }) => (await client.get(`/notifications/receipts/${id}`, key)).body))

  await within(60, async () => expect((await receipts()).some(({ repeats_sent }) => repeats_sent > 0)).toBe(true))
  expect((await doomed.end('SIGKILL')).signal).toBe('SIGKILL')
  const successor = await start()
  await within(60, () => expect(receiver.received.length).toBeGreaterThan(0))
  expect((await successor.end('SIGKILL')).signal).toBe('SIGKILL')

  await within(120, async () => {
    const waiting = (await receipts()).filter(({ callback }) => callback.status !== 'delivered')
    expect(waiting).toEqual([])
  })
  for (const receipt of await receipts()) {
    expect(receipt).toMatchObject({ status: 'expired', repeats_sent: 1 })
    const callbacks = receiver.received.filter(
      ({ headers }) => headers['webhook-id'] === `pwr_${receipt.notification_id}`,
    )
    // A callback in progress when its node died is repeated, and counted.
    expect(callbacks.length).toBeGreaterThanOrEqual(1)
    expect(callbacks.length).toBeLessThanOrEqual(receipt.callback.attempts)
    expect(receipt.callback.attempts).toBeLessThanOrEqual(2)
  }
  for (const { id, key } of alerts) {
    const { items } = (await client.get(`/notifications/${id}/timeline`, key)).body
    expect(items.filter(({ event }: { event: string }) => event === 'repeated')).toHaveLength(1)
  }
  const callbacks = `${receiver.received.length - ALERTS} of ${ALERTS} callbacks came twice`
  measured('R16', 'postgres', `${ALERTS} alerts, 2 nodes killed: one repeat each; ${callbacks}`)
})
