// R17: a process is stopped (SIGSTOP) in the middle of repeats for longer than its leases, as a paused virtual machine is.
// Another node takes over, and the paused one, when it goes on, repeats nothing. On SQLite it is the only process.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import { LIMITS } from '../../src/contract/limits.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import type { Context } from '../../src/operations/context.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { LEASE_SECONDS } from '../../src/store/jobs.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { newPushToken } from '../support/devices/devices.ts'
import { type FakeApns, startFakeApns } from '../support/fakes/fake-apns.ts'
import { startHeliograph } from '../support/heliograph-process.ts'
import { measured } from '../support/reliability/measured.ts'

const ACCOUNTS = 8
const PER_ACCOUNT = LIMITS.receipt.maxOpen
const ALERTS = ACCOUNTS * PER_ACCOUNT
// Four leases.
const PAUSE_MS = 4 * LEASE_SECONDS * 1000
const RECOVERY_MS = 90_000
const ALERT = { title: 'Fire', body: 'B', acknowledge: { repeat_seconds: 3600, expire_seconds: 10_800 } }

type Account = { token: string; phone: string }

const CASES = [
  { kind: 'sqlite', nodes: 1 },
  { kind: 'postgres', nodes: 2 },
] as const

describe.each(CASES)('R17 on $kind with $nodes node(s)', ({ kind, nodes }) => {
  test(`${ALERTS} alerts fall due for a repeat, a node is paused meanwhile: one repeat each`, async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = {
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
      ...apnsSettings(apns),
      ...database.environment,
    }
    const { ctx, stop } = await openContext(loadConfig({}, environment, 'no-such-file.json'), {
      log: createLog('silent', 'json'),
    })
    onTestFinished(stop)
    const accounts = await addAccounts(ctx)
    const start = () => startHeliograph(['serve'], { environment })
    const servers = await Promise.all(Array.from({ length: nodes }, start))
    const [paused, other] = [servers[0] as (typeof servers)[0], servers.at(-1) as (typeof servers)[0]]
    const api = createClient(other.url)
    for (const account of accounts) await sendAll(api, account)
    await recovered(() => expect(distinctPushes(apns)).toBe(ALERTS))

    await makeRepeatsDue(ctx)
    await apns.until(() => apns.requests.length > ALERTS)
    process.kill(paused.pid, 'SIGSTOP')
    const pausedAtMs = performance.now()
    await delay(PAUSE_MS)
    if (nodes > 1) await recovered(() => expectOneRepeatEach(api, accounts))
    const takenOverAfterMs = Math.max(0, ...apns.requests.map(({ receivedAtMs }) => receivedAtMs - pausedAtMs))
    process.kill(paused.pid, 'SIGCONT')

    await recovered(() => expectOneRepeatEach(api, accounts))
    await recovered(() => expect(distinctPushes(apns)).toBe(2 * ALERTS))
    // A stop finishes the jobs that the process has begun.
    for (const server of servers.toReversed()) expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(distinctPushes(apns)).toBe(2 * ALERTS)
    const twice = apns.acceptedIds().length - 2 * ALERTS
    const takeover =
      nodes > 1 ? `; the last push by the other node ${Math.round(takenOverAfterMs / 100) / 10} s after the pause` : ''
    measured(
      'R17',
      kind,
      `${ALERTS} alerts, pause of ${PAUSE_MS / 1000} s: one repeat each, ${twice} pushes twice${takeover}`,
    )
  })
})

const recovered = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: RECOVERY_MS, interval: 500 })

async function addAccounts(ctx: Context): Promise<Account[]> {
  const names = Array.from({ length: ACCOUNTS }, (_, index) => `sender-${index}`)
  const added = await Promise.all(names.map((name) => addUser(ctx, name, 'paid')))
  return added.map(({ token }) => ({ token, phone: newPushToken() }))
}

async function sendAll(api: TestClient, { token, phone }: Account): Promise<void> {
  const device = { name: 'Phone', platform: 'ios', apns: { device_token: phone, environment: 'production' } }
  expect((await api.put(`/devices/${phone.slice(0, 8)}`, device, token)).status).toBe(201)
  const send = async () => expect((await api.post('/notifications', ALERT, token)).status).toBe(201)
  await Promise.all(Array.from({ length: PER_ACCOUNT }, send))
}

// Instead of waiting for the time of the repeats.
const makeRepeatsDue = ({ db, clock }: Context) =>
  db.transact((tx) => tx.execute(sql`update jobs set run_at = ${clock.now()} where kind = 'repeat-receipt'`))

const distinctPushes = (apns: FakeApns) => new Set(apns.acceptedIds()).size

async function expectOneRepeatEach(api: TestClient, accounts: Account[]): Promise<void> {
  for (const { token } of accounts) {
    const { items } = (await api.get('/notifications/receipts?limit=100', token)).body
    expect(items.map(({ repeats_sent }: { repeats_sent: number }) => repeats_sent)).toEqual(Array(PER_ACCOUNT).fill(1))
  }
}
