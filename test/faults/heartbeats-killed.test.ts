// Heartbeats that fall due while processes are killed: each is down once and tells of it once, on one node and on two.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import type { UserId } from '../../src/domain/caller.ts'
import type { Heartbeat, HeartbeatId, PingToken } from '../../src/domain/heartbeats/heartbeat.ts'
import { instant } from '../../src/domain/instant.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import { enqueueJudging } from '../../src/operations/heartbeats/save.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { newUuid } from '../../src/runtime/ids.ts'
import { createLog } from '../../src/runtime/log.ts'
import type { Writer } from '../../src/store/engine/database.ts'
import { insertHeartbeat, updateHeartbeatState } from '../../src/store/heartbeats/heartbeats.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { startHeliograph } from '../support/heliograph-process.ts'
import { killInTurn } from '../support/reliability/kill-in-turn.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'

const PER_ACCOUNT = 20
const ACCOUNTS = Math.min(inject('rounds'), 8) * 2
const DUE_OVER_MS = 4000 * inject('rounds')
const STARTING_MS = 8000
// Leases of killed processes expire after 15 s.
const RECOVERY_MS = 60_000
// So many at least: on a slow machine all may be due before the nodes have started.
const LEAST_KILLS = inject('rounds')

const CASES = [
  { kind: 'sqlite', nodes: 1 },
  { kind: 'postgres', nodes: 2 },
] as const

describe.each(CASES)('on $kind with $nodes node(s)', ({ kind, nodes }) => {
  test(`${ACCOUNTS * PER_ACCOUNT} heartbeats fall due over ${DUE_OVER_MS} ms, a kill every second: one alert each`, async () => {
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = {
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
      ...database.environment,
    }
    const firstDueMs = Date.now() + STARTING_MS
    const tokens = await createAccounts(environment, firstDueMs)
    const start = () => startHeliograph(['serve'], { environment })
    const servers = await Promise.all(Array.from({ length: nodes }, start))

    await delay(firstDueMs - Date.now())
    const goesOn = (kills: number) => kills < LEAST_KILLS || Date.now() < firstDueMs + DUE_OVER_MS
    const kills = await killInTurn(servers, { start, goesOn })

    const api = createClient(servers[0]?.url ?? '')
    const isOver = async () => {
      for (const token of tokens) await expectAllDown(api, token)
    }
    await vi.waitFor(isOver, { timeout: RECOVERY_MS, interval: 500 })
    for (const server of servers) expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const heartbeats = amountOf(tokens.length * PER_ACCOUNT, 'heartbeat')
    measured('R03', kind, `${heartbeats} fell due, ${amountOf(kills.length, 'kill')}: one alert each`)
  })
})

async function expectAllDown(api: TestClient, token: string): Promise<void> {
  const heartbeats: { status: string; slug: string }[] = (await api.get('/heartbeats', token)).body.items
  expect(heartbeats.map(({ status }) => status)).toEqual(Array(PER_ACCOUNT).fill('down'))
  const told: { title: string }[] = (await api.get('/notifications?limit=100', token)).body.items
  expect(told.map(({ title }) => title).toSorted()).toEqual(heartbeats.map(({ slug }) => `${slug} is down`).toSorted())
  expect((await api.get('/auth/me', token)).body.notifications_used).toBe(PER_ACCOUNT)
}

// Written directly: the shortest time until a heartbeat is down is two minutes.
async function createAccounts(environment: Environment, firstDueMs: number): Promise<string[]> {
  const config = loadConfig({}, environment, 'no-such-file.json')
  const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json') })
  const tokens: string[] = []
  for (let account = 0; account < ACCOUNTS; account++) {
    const { user, token } = await addUser(ctx, `owner-${account}`, 'paid')
    tokens.push(token)
    await ctx.db.transact(async (tx) => {
      for (let index = 0; index < PER_ACCOUNT; index++) {
        const at = firstDueMs + Math.round((index * DUE_OVER_MS) / PER_ACCOUNT)
        await insertLate(tx, user.id, `job-${index}`, at)
      }
    })
  }
  await stop()
  return tokens
}

async function insertLate(tx: Writer, userId: UserId, slug: string, downAtMs: number): Promise<void> {
  const graceSeconds = 60
  const dueAt = instant(downAtMs - graceSeconds * 1000)
  const heartbeat: Heartbeat = {
    id: newUuid() as HeartbeatId,
    userId,
    slug,
    token: newUuid() as PingToken,
    settings: { name: slug, every_seconds: 60, grace_seconds: graceSeconds, level: 'active', widget: false },
    targetIds: null,
    status: 'late',
    lastPingAt: dueAt,
    lastSuccessAt: dueAt,
    lastDurationMs: null,
    dueAt,
    runs: [],
    runUntil: null,
    downSince: null,
    alertId: null,
    pings: 1,
    minuteStart: instant(0),
    minutePings: 0,
    createdAt: dueAt,
    updatedAt: dueAt,
  }
  await insertHeartbeat(tx, heartbeat)
  await updateHeartbeatState(tx, heartbeat)
  await enqueueJudging(tx, heartbeat, instant(downAtMs))
}
