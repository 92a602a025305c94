// R04: series whose occurrences fall due while processes are killed: every occurrence is sent once and `count` is exact, on
// one node and on two.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import type { UserId } from '../../src/domain/caller.ts'
import { openForServer } from '../../src/domain/organizations/limit.ts'
import type { ScheduleId } from '../../src/domain/schedules/schedule.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import type { Context } from '../../src/operations/context.ts'
import { deleteSendJobs, enqueueSendJob } from '../../src/operations/schedules/send-jobs.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { findScheduleForUpdate, updatePlanned } from '../../src/store/schedules.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { type RunningProcess, startHeliograph } from '../support/heliograph-process.ts'
import { killInTurn } from '../support/reliability/kill-in-turn.ts'
import { amountOf, counted, measured } from '../support/reliability/measured.ts'

const ACCOUNTS = 2
const PER_ACCOUNT = 20
const COUNT = 5 * Math.min(inject('rounds'), 8)
const MOST_KILLS = 4 * inject('rounds')
const DUE_EVERY_MS = 1000

const CASES = [
  { kind: 'sqlite', nodes: 1 },
  { kind: 'postgres', nodes: 2 },
] as const

describe.each(CASES)('R04 on $kind with $nodes node(s)', ({ kind, nodes }) => {
  test(`${ACCOUNTS * PER_ACCOUNT} series of ${COUNT}, a kill every second: each occurrence is sent and charged once`, async () => {
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment = { HELIOGRAPH_PORT: '0', HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0', ...database.environment }
    const config = loadConfig({}, environment, 'no-such-file.json')
    const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json') })
    onTestFinished(stop)
    const start = () => startHeliograph(['serve'], { environment })
    const servers = await Promise.all(Array.from({ length: nodes }, start))
    const tokens = await planSeries(ctx, createClient(servers[0]?.url ?? ''))

    let isPassing = true
    const passing = passTime(ctx).finally(() => {
      isPassing = false
    })
    const kills = await killInTurn(servers, { start, goesOn: (kills) => isPassing && kills < MOST_KILLS })
    await passing
    for (const token of tokens) await expectExact(createClient((servers[0] as RunningProcess).url), token)
    await expectOneNotificationEach(ctx)
    for (const server of servers) expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const series = `${ACCOUNTS * PER_ACCOUNT} series of ${COUNT}`
    const occurrences = `each of ${counted(ACCOUNTS * PER_ACCOUNT * COUNT)} occurrences sent and charged once`
    measured('R04', kind, `${series}, ${amountOf(kills.length, 'kill')}: ${occurrences}`)
  })
})

async function planSeries(ctx: Context, api: TestClient): Promise<string[]> {
  const tokens: string[] = []
  for (let account = 0; account < ACCOUNTS; account++) {
    const { token } = await addUser(ctx, `planner-${account}`, 'paid')
    tokens.push(token)
    for (let index = 0; index < PER_ACCOUNT; index++) {
      const recurrence = { cron: '0 * * * *', timezone: 'UTC', count: COUNT }
      const body = { title: `Series ${index}`, body: 'B', recurrence }
      expect((await api.post('/notifications/scheduled', body, token)).status).toBe(201)
    }
  }
  return tokens
}

// The series are hourly. Instead of waiting, moves the next occurrence of each series to now, until all series have ended.
// An occurrence that is due but not sent waits for the lease of a killed process.
async function passTime({ db, clock }: Context): Promise<void> {
  for (;;) {
    const pending = await db.read.all<{ id: ScheduleId; user_id: UserId; send_at: number }>(
      sql`select id, user_id, send_at from schedules where status = 'scheduled'`,
    )
    if (pending.length === 0) return
    const now = clock.now()
    for (const { id, user_id: userId } of pending.filter(({ send_at }) => send_at > now)) {
      await db.transact(async (tx) => {
        // In the order in which the operation that changes a schedule locks these.
        await deleteSendJobs(tx, [id])
        const schedule = openForServer(await findScheduleForUpdate(tx, userId, id))
        if (schedule?.status !== 'scheduled') return
        const due = { ...schedule, sendAt: now }
        await updatePlanned(tx, due)
        await enqueueSendJob(tx, due)
      })
    }
    await delay(DUE_EVERY_MS)
  }
}

async function expectExact(api: TestClient, token: string): Promise<void> {
  const { items } = (await api.get('/notifications/scheduled?status=sent&limit=100', token)).body
  expect(items.map(({ occurrence }: { occurrence: number }) => occurrence)).toEqual(Array(PER_ACCOUNT).fill(COUNT))
  expect((await api.get('/auth/me', token)).body.notifications_used).toBe(PER_ACCOUNT * COUNT)
}

async function expectOneNotificationEach({ db }: Context): Promise<void> {
  const stored = await db.read.first<{ count: number }>(sql`select count(*) as count from notifications`)
  const sent = await db.read.all<{ sends: number; notifications: number }>(
    sql`select count(*) as sends, count(distinct notification_id) as notifications from schedule_sends group by schedule_id`,
  )
  expect(stored?.count).toBe(ACCOUNTS * PER_ACCOUNT * COUNT)
  expect(sent).toEqual(Array(ACCOUNTS * PER_ACCOUNT).fill({ sends: COUNT, notifications: COUNT }))
}
