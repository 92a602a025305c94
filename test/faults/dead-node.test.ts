// R16: two processes on one PostgreSQL share the repeats, expiries and callbacks of many alerts. One of them is killed again
// and again, during the repeats and during the callbacks, and nothing is lost.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { type CallbackSink, startCallbackSink } from '../support/fakes/callback-sink.ts'
import { emptyFolder, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { killInTurn } from '../support/reliability/kill-in-turn.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'

const ACCOUNTS = 8
const ALERTS = ACCOUNTS * LIMITS.receipt.maxOpen
const ACKNOWLEDGE = { repeat_seconds: 30, expire_seconds: 60 }
// In each of the two phases.
const KILLS = inject('rounds')

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

async function addKeys(environment: Environment): Promise<string[]> {
  const add = ['user', 'add', '--count', String(ACCOUNTS), '--plan', 'paid', '--json']
  const lines = (await runHeliograph(add, { environment })).stdout.trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line).default_key)
}

async function sendAll(client: TestClient, keys: string[], callback_url: string) {
  const body = { title: 'Fire', body: 'B', acknowledge: ACKNOWLEDGE, callback_url }
  const sendOfAccount = async (key: string) => {
    const alerts: { id: number; key: string }[] = []
    while (alerts.length < LIMITS.receipt.maxOpen) {
      const { status, body: sent } = await client.post('/notifications', body, key)
      expect(status).toBe(201)
      alerts.push({ id: sent.id, key })
    }
    return alerts
  }
  return (await Promise.all(keys.map(sendOfAccount))).flat()
}

type Receipt = {
  notification_id: number
  status: string
  repeats_sent: number
  callback: { status: string; attempts: number }
}

async function listReceipts(client: TestClient, keys: string[]): Promise<Receipt[]> {
  const pages = await Promise.all(keys.map((key) => client.get('/notifications/receipts?limit=100', key)))
  return pages.flatMap(({ body }) => body.items)
}

const within = (seconds: number, check: () => unknown) => vi.waitFor(check, { timeout: seconds * 1000, interval: 100 })

test(`R16 ${2 * KILLS} kills of a node: no repeat of ${ALERTS} alerts is lost or duplicated, every callback arrives`, async () => {
  const sink = await startSink()
  const environment = await emptyPostgres(sink)
  const start = () => startHeliograph(['serve'], { environment })
  const survivor = await start()
  const client = createClient(survivor.url)
  const receiver = sink.receiver()
  const killed = [await start()]
  const killSome = () => killInTurn(killed, { start, goesOn: (kills) => kills < KILLS })
  const keys = await addKeys(environment)
  const alerts = await sendAll(client, keys, receiver.url)
  const receipts = () => listReceipts(client, keys)

  await within(60, async () => expect((await receipts()).some(({ repeats_sent }) => repeats_sent > 0)).toBe(true))
  await killSome()
  await within(60, () => expect(receiver.received.length).toBeGreaterThan(0))
  await killSome()

  // An attempt whose node died is repeated a minute later, the next one after two.
  await within(300, async () => {
    const waiting = (await receipts()).filter(({ callback }) => callback.status !== 'delivered')
    expect(waiting).toEqual([])
  })
  expect(await receipts()).toHaveLength(ALERTS)
  for (const receipt of await receipts()) {
    expect(receipt).toMatchObject({ status: 'expired', repeats_sent: 1 })
    const callbacks = receiver.received.filter(
      ({ headers }) => headers['webhook-id'] === `pwr_${receipt.notification_id}`,
    )
    // A callback in progress when its node died is repeated, and counted.
    expect(callbacks.length).toBeGreaterThanOrEqual(1)
    expect(callbacks.length).toBeLessThanOrEqual(receipt.callback.attempts)
    expect(receipt.callback.attempts).toBeLessThanOrEqual(LIMITS.callback.maxAttempts)
  }
  for (const { id, key } of alerts) {
    const { items } = (await client.get(`/notifications/${id}/timeline`, key)).body
    expect(items.filter(({ event }: { event: string }) => event === 'repeated')).toHaveLength(1)
  }
  const callbacks = `${receiver.received.length - ALERTS} of ${ALERTS} callbacks came twice`
  measured('R16', 'postgres', `${ALERTS} alerts, ${amountOf(2 * KILLS, 'kill')}: one repeat each; ${callbacks}`)
})
