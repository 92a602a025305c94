// Scheduled sends of accounts without devices: how fast 10,000 that are due at one instant are sent, each a charge, a
// notification and its events; and how late they are when 100 fall due every second.
// Goals: 3,000 a second on SQLite, 1,500 on PostgreSQL; p99 under 100 ms.
import { openContext } from '../dist/app.js'
import { LIMITS } from '../dist/contract/limits.js'
import { authenticate } from '../dist/operations/authenticate.js'
import { scheduleNotification } from '../dist/operations/schedules.js'
import { loadConfig } from '../dist/runtime/config.js'
import { sql } from '../dist/store/sql.js'
import { MESSAGE } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { pause, percentile } from './measure.mjs'
import { startHeliograph, startPostgres, withServers } from './servers.mjs'

const AT_ONCE = 10_000
const PER_SECOND = 100
const LATENESS_SECONDS = 20
// A server that starts in between finds nothing due before it is warm.
const LEAD_MS = 4000
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
    const home = await keep(prepareHome({ accounts: AT_ONCE / LIMITS.pendingSchedules, databaseUrl }))
    const database = await keep(openDatabase(home))
    await planAll(database, home, () => 1000)
    await pause(1000)
    const server = await keep(startHeliograph(name, home))
    const sent = await allSent(database, AT_ONCE)
    const times = sent.map(({ sent_at }) => Number(sent_at)).sort((a, b) => a - b)
    const perSecond = (AT_ONCE / (times.at(-1) - times[0])) * 1000

    const count = PER_SECOND * LATENESS_SECONDS
    await planAll(database, home, (index) => LEAD_MS + (index * 1000) / PER_SECOND, count)
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

// Spread over the accounts, each of which may have so many pending.
async function planAll({ ctx }, { keys }, afterMs, count = AT_ONCE) {
  const callers = await Promise.all(keys.map((key) => authenticate(ctx, key)))
  const startMs = ctx.clock.now()
  const plan = (_, index) => {
    const send_at = new Date(startMs + 1000 + Math.round(afterMs(index))).toISOString()
    return scheduleNotification(ctx, callers[index % callers.length], { ...MESSAGE, send_at })
  }
  await Promise.all(Array.from({ length: count }, plan))
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
