// R03: schedules are sent exactly once although the process is killed repeatedly while they are due.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import { LIMITS } from '../../src/contract/limits.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { newPushToken } from '../support/devices/devices.ts'
import { type FakeApns, startFakeApns } from '../support/fakes/fake-apns.ts'
import { type RunningProcess, startHeliograph } from '../support/heliograph-process.ts'
import { killInTurn } from '../support/reliability/kill-in-turn.ts'
import { amountOf, counted, measured } from '../support/reliability/measured.ts'

// Up to 8 accounts, each with all the schedules it may have.
const SCHEDULES = LIMITS.schedule.maxPending * Math.min(2 * inject('rounds'), 8)
const DUE_OVER_MS = 4000 * inject('rounds')
// The time to create all of them before the first is due.
const PLANNING_MS = 8000
// Leases of killed processes expire after 15 s, and the pushes after them may be interrupted too.
const RECOVERY_MS = 60_000
// So many at least: on a slow machine all may be due before the nodes have started.
const LEAST_KILLS = inject('rounds')
const BETWEEN_KILLS_MS = { least: 1000, most: 2000 }

type Account = { token: string; phones: string[] }

describe.each(['sqlite', 'postgres'] as const)('R03 on %s', (kind) => {
  test(`${SCHEDULES} schedules due over ${DUE_OVER_MS} ms, a kill every second or two: each is sent and counted once`, async () => {
    const apns = await startFakeApns()
    onTestFinished(() => apns.close())
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = { ...settingsFor(apns), ...database.environment }
    const accounts = await createAccounts(environment)
    const start = () => startHeliograph(['serve'], { environment })
    const servers = [await start()]
    const current = () => servers[0] as RunningProcess
    const firstDueMs = Date.now() + PLANNING_MS
    await planAll(createClient(current().url), accounts, firstDueMs)

    await delay(firstDueMs - Date.now())
    const goesOn = (kills: number) => kills < LEAST_KILLS || Date.now() < firstDueMs + DUE_OVER_MS
    const killedAtMs = await killInTurn(servers, { start, goesOn, betweenMs: BETWEEN_KILLS_MS })

    const api = createClient(current().url)
    const isOver = async () => {
      for (const account of accounts) await expectAllSent(api, apns, account)
    }
    await vi.waitFor(isOver, { timeout: RECOVERY_MS, interval: 500 })
    const duplicates = expectDuplicatesOnlyByKills(apns, killedAtMs)
    expect(await current().end('SIGTERM')).toMatchObject({ code: 0 })
    const pushes = `${duplicates} of ${counted(2 * SCHEDULES)} pushes came twice, with the same apns-id`
    const kills = amountOf(killedAtMs.length, 'kill')
    measured('R03', kind, `${amountOf(SCHEDULES, 'schedule')}, ${kills}: each sent and charged once; ${pushes}`)
  })
})

const settingsFor = (apns: FakeApns): Environment => ({
  HELIOGRAPH_PORT: '0',
  HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
  ...apnsSettings(apns),
})

async function createAccounts(environment: Environment): Promise<Account[]> {
  const config = loadConfig({}, environment, 'no-such-file.json')
  const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json') })
  const names = Array.from({ length: SCHEDULES / LIMITS.schedule.maxPending }, (_, index) => `sender-${index}`)
  const added = await Promise.all(names.map((name) => addUser(ctx, name, 'paid')))
  await stop()
  return added.map(({ token }) => ({ token, phones: [newPushToken(), newPushToken()] }))
}

async function planAll(api: TestClient, accounts: Account[], firstDueMs: number): Promise<void> {
  for (const { token, phones } of accounts) {
    for (const phone of phones) {
      const device = { name: 'Phone', platform: 'ios', apns: { device_token: phone, environment: 'production' } }
      expect((await api.put(`/devices/${phone.slice(0, 8)}`, device, token)).status).toBe(201)
    }
  }
  const plan = async (index: number) => {
    const account = accounts[index % accounts.length] as Account
    const send_at = new Date(firstDueMs + (index * DUE_OVER_MS) / SCHEDULES).toISOString()
    const body = { title: `Reminder ${index}`, body: 'B', send_at }
    expect((await api.post('/notifications/scheduled', body, account.token)).status).toBe(201)
  }
  await Promise.all(Array.from({ length: SCHEDULES }, (_, index) => plan(index)))
}

async function expectAllSent(api: TestClient, apns: FakeApns, { token, phones }: Account): Promise<void> {
  const { items } = (await api.get('/notifications?limit=100', token)).body as {
    items: { id: number; title: string }[]
  }
  const { notifications_used } = (await api.get('/auth/me', token)).body
  const sent = (await api.get('/notifications/scheduled?status=sent&limit=100', token)).body.items
  const count = LIMITS.schedule.maxPending
  expect([items.length, notifications_used, sent.length]).toEqual([count, count, count])
  expect(new Set(items.map(({ title }) => title)).size).toBe(count)
  for (const phone of phones) {
    const pushed = new Set(acceptedBy(apns, phone).map(({ headers }) => headers['apns-id']))
    expect(pushed.size).toBe(count)
  }
}

const acceptedBy = (apns: FakeApns, phone: string) =>
  apns.requests.filter(({ token, isAccepted }) => token === phone && isAccepted)

// A push is repeated with the same id only if a kill came between APNs's answer and our commit, so never twice by one
// process.
function expectDuplicatesOnlyByKills({ requests }: FakeApns, killedAtMs: number[]): number {
  const livesOf = new Map<unknown, number[]>()
  for (const { headers, receivedAtMs } of requests.filter(({ isAccepted }) => isAccepted)) {
    const life = killedAtMs.filter((killedAt) => killedAt < receivedAtMs).length
    livesOf.set(headers['apns-id'], [...(livesOf.get(headers['apns-id']) ?? []), life])
  }
  let duplicates = 0
  for (const lives of livesOf.values()) {
    expect(new Set(lives).size).toBe(lives.length)
    duplicates += lives.length - 1
  }
  return duplicates
}
