// Scheduled sends of accounts without devices: how fast 10,000 schedules due at one instant are sent, each with a quota
// update, a notification and its events; and how late they are when 100 fall due every second.
// Goals: 3,000 a second on SQLite, 1,500 on PostgreSQL; p99 under 100 ms.
import { openContext } from '../src/boot/context.ts'
import { LIMITS } from '../src/contract/limits.ts'
import { enqueueSendJob } from '../src/operations/schedules/send-jobs.ts'
import { loadConfig } from '../src/runtime/config.ts'
import { sql } from '../src/store/engine/sql.ts'
import { insertSchedule } from '../src/store/schedules.ts'
import { MESSAGE } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { pause, percentile } from './measure.mjs'
import { startHeliograph, startPostgres, withServers } from './servers.mjs'

const AT_ONCE = 10_000
const PER_SECOND = 100
const LATENESS_SECONDS = 20
// Longer than it takes to create them all.
const LEAD_MS = 20_000
const PLANNED_AT_ONCE = 100
const GIVEN_UP_MS = 120_000

export async function measureJobs() {
  const rows = [...(await measureOn('SQLite', 3000))]
  await withServers(async (keep) => {
    const { url } = await keep(startPostgres())
    rows.push(...(await measureOn('PostgreSQL', 1500, url)))
  })
  return rows
}

function measureOn(name, atLeast, databaseUrl) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome({ accounts: AT_ONCE / LIMITS.schedule.maxPending, databaseUrl }))
    const database = await keep(openDatabase(home))
    const dueAtMs = await planAll(database, home, AT_ONCE, () => 0)
    // The server starts when all are due, so that none is sent before the last one is created.
    await pause(Math.max(dueAtMs - Date.now(), 0))
    const server = await keep(startHeliograph(name, home))
    const sent = await allSent(database, AT_ONCE)
    const times = sent.map(({ sent_at }) => Number(sent_at)).sort((a, b) => a - b)
    const perSecond = (AT_ONCE / (times.at(-1) - times[0])) * 1000

    const count = PER_SECOND * LATENESS_SECONDS
    await planAll(database, home, count, (index) => (index * 1000) / PER_SECOND)
    const late = (await allSent(database, AT_ONCE + count)).slice(AT_ONCE)
    const lateMs = late.map(({ sent_at, send_at }) => Number(sent_at) - Number(send_at))
    await server.stop()
    return [
      { what: `10,000 due at once, ${name}`, value: perSecond, unit: '/s', atLeast },
      {
        what: `Lateness at ${PER_SECOND} due a second, p99, ${name}`,
        value: percentile(lateMs, 99),
        unit: 'ms',
        atMost: 100,
        note: `median ${percentile(lateMs, 50)} ms, longest ${Math.max(...lateMs)} ms`,
      },
    ]
  })
}

async function openDatabase({ folder, environment }) {
  const { ctx, stop } = await openContext(loadConfig({ logLevel: 'silent' }, environment, `${folder}/none.json`))
  return { ctx, stop }
}

// Spread over the accounts, and written directly to the database: through the API it would take longer than sending.
// Returns when the first is due.
async function planAll({ ctx }, { userIds }, count, afterMs) {
  const firstDueMs = ctx.clock.now() + LEAD_MS
  const plan = async (tx, index) => {
    const userId = userIds[index % userIds.length]
    const sendAt = firstDueMs + afterMs(index)
    const request = { userId, keyId: null, input: MESSAGE, recurrence: null, targetIds: null }
    const schedule = await insertSchedule(tx, { ...request, sendAt, createdAt: ctx.clock.now() })
    await enqueueSendJob(tx, schedule)
  }
  for (let done = 0; done < count; done += PLANNED_AT_ONCE) {
    await ctx.db.transact(async (tx) => {
      for (let index = done; index < done + PLANNED_AT_ONCE; index++) await plan(tx, index)
    })
  }
  return firstDueMs
}

async function allSent({ ctx }, count) {
  const giveUpAt = ctx.clock.now() + GIVEN_UP_MS
  for (;;) {
    const sent = await ctx.db.read.all(
      sql`select id, send_at, sent_at from schedules where status = 'sent' order by id`,
    )
    if (sent.length >= count) return sent
    if (ctx.clock.now() > giveUpAt) throw new Error(`${sent.length} of ${count} sent`)
    await pause(500)
  }
}
