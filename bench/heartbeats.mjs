// Heartbeats: the cost of a ping against that of a widget PATCH, the load of 10,000 heartbeats that are pinged every minute,
// and how late 1,000 are judged that fall due at once.
// Goals: a ping costs at most a widget PATCH; p99 of the lateness under 1 s.
import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { openContext } from '../src/boot/context.ts'
import { LIMITS } from '../src/contract/limits.ts'
import { enqueueJudging } from '../src/operations/heartbeats/save.ts'
import { sql } from '../src/store/engine/sql.ts'
import { insertHeartbeat, updateHeartbeatState } from '../src/store/heartbeats/heartbeats.ts'
import { CONTENT } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { shoot } from './load.mjs'
import { cpuMs, inRounds, inWords, pause, percentile, ratiosToFirst } from './measure.mjs'
import { startHeliograph, startPostgres, withServers } from './servers.mjs'

const PER_ACCOUNT = LIMITS.heartbeat.maxPerAccount.paid
const PERIOD_SECONDS = 60
const DUE_AT_ONCE = 1000
// Longer than it takes to insert them and to start the server.
const LEAD_MS = 15_000
const GIVEN_UP_MS = 120_000

// `heartbeats`: 10,000 is the goal; fewer make the run shorter.
export async function measureHeartbeats(options) {
  const rows = []
  for (const name of ['SQLite', 'PostgreSQL']) {
    rows.push(...(await withDatabase(name, (url) => measureCosts(name, url, options))))
    rows.push(await withDatabase(name, (url) => measureLateness(name, url)))
  }
  return rows
}

const withDatabase = (name, work) =>
  name === 'SQLite' ? work(undefined) : withServers(async (keep) => work((await keep(startPostgres())).url))

function measureCosts(name, databaseUrl, options) {
  return withServers(async (keep) => {
    const accounts = Math.ceil(options.heartbeats / PER_ACCOUNT)
    const home = await keep(prepareHome({ accounts, databaseUrl }))
    const inAMinute = (now) => ({ status: 'up', dueAt: now + PERIOD_SECONDS * 1000 })
    const tokens = await fill(home, options.heartbeats, inAMinute)
    const server = await keep(startHeliograph(name, home))
    await shoot(server, POST_WIDGET, { amount: accounts, connections: 1 })
    return [...(await compareCosts(server, tokens, options)), await loadOfAMinute(server, tokens)]
  })
}

const WIDGET = { slug: 'bench', name: 'Bench', content: CONTENT }
const JSON_TYPE = 'application/json'
const POST_WIDGET = { method: 'POST', path: '/widgets', type: JSON_TYPE, body: JSON.stringify(WIDGET) }
const PATCH_WIDGET = {
  method: 'PATCH',
  path: '/widgets/bench',
  type: 'application/merge-patch+json',
  body: JSON.stringify({ content: { value: 22.5, subtitle: 'since 08:00' } }),
}

// In turns, so that both meet the same machine.
async function compareCosts(server, tokens, options) {
  const kinds = [
    { what: 'Widget PATCH', run: (limits) => shoot(server, PATCH_WIDGET, limits) },
    { what: 'Ping', run: (limits) => shootPings(server, tokens, limits) },
  ]
  const results = await inRounds(kinds, options, ({ run }, duration) =>
    run({ duration, connections: options.connections }),
  )
  const ratios = ratiosToFirst(results)
  return kinds.map(({ what }, index) => ({
    what: `${what}, ${server.name}`,
    value: ratios[index],
    unit: 'of a PATCH',
    atLeast: what === 'Ping' ? 1 : undefined,
    note: inWords(results[index], 'requests'),
  }))
}

async function shootPings(server, tokens, limits) {
  const beforeMs = cpuMs(server.pid)
  let clients = 0
  const result = await autocannon({
    url: server.url,
    setupClient: (client) => client.setRequests(pathsOf(tokens, clients++, limits.connections)),
    ...limits,
  })
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${server.name}: ${result.non2xx} pings refused, ${result.errors} failed`)
  }
  return {
    perSecond: result['2xx'] / result.duration,
    cpuMicros: ((cpuMs(server.pid) - beforeMs) * 1000) / result['2xx'],
    p99Ms: result.latency.p99,
  }
}

const pathsOf = (tokens, client, connections) =>
  tokens
    .filter((_, index) => index % connections === client % connections)
    .map((token) => ({ method: 'GET', path: `/ping/${token}` }))

// Every heartbeat once a minute, and the jobs that find each of them moved.
async function loadOfAMinute(server, tokens) {
  const overallRate = Math.ceil(tokens.length / PERIOD_SECONDS)
  const startedMs = performance.now()
  const beforeMs = cpuMs(server.pid)
  const connections = Math.min(10, tokens.length)
  await shootPings(server, tokens, { duration: PERIOD_SECONDS + 10, connections, overallRate })
  const share = ((cpuMs(server.pid) - beforeMs) / (performance.now() - startedMs)) * 100
  return { what: `${tokens.length} pinged every minute, ${server.name}`, value: share, unit: '% of a core' }
}

// The server starts before they are due.
function measureLateness(name, databaseUrl) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome({ accounts: DUE_AT_ONCE / 10, databaseUrl }))
    const downAtMs = Date.now() + LEAD_MS
    const dueAt = downAtMs - PERIOD_SECONDS * 1000
    await fill(home, DUE_AT_ONCE, () => ({ status: 'late', dueAt }))
    await keep(startHeliograph(name, home))
    if (Date.now() > downAtMs) throw new Error('the machine is too busy: they were due before the server ran')
    const lateMs = (await allDown(home, DUE_AT_ONCE)).map((at) => at - downAtMs)
    return {
      what: `Lateness of ${DUE_AT_ONCE} due at once, p99, ${name}`,
      value: percentile(lateMs, 99),
      unit: 'ms',
      atMost: 1000,
      note: `median ${percentile(lateMs, 50)} ms, longest ${Math.max(...lateMs)} ms`,
    }
  })
}

// Written directly to the database, because a heartbeat takes two minutes until it is down. Returns the tokens.
function fill({ settings, userIds }, count, stateAt) {
  return withContext(settings, async ({ db, clock }) => {
    const now = clock.now()
    const state = stateAt(now)
    const heartbeats = Array.from({ length: count }, (_, index) => heartbeatOf(userIds, index, state, now))
    for (let start = 0; start < count; start += 500) {
      await db.transact(async (tx) => {
        for (const heartbeat of heartbeats.slice(start, start + 500)) {
          await insertHeartbeat(tx, heartbeat)
          await updateHeartbeatState(tx, heartbeat)
          const grace = heartbeat.status === 'late' ? PERIOD_SECONDS * 1000 : 0
          await enqueueJudging(tx, heartbeat, heartbeat.dueAt + grace)
        }
      })
    }
    return heartbeats.map(({ token }) => token)
  })
}

const heartbeatOf = (userIds, index, state, now) => ({
  id: randomUUID(),
  userId: userIds[index % userIds.length],
  slug: `job-${index}`,
  token: randomUUID(),
  settings: {
    name: `Job ${index}`,
    every_seconds: PERIOD_SECONDS,
    grace_seconds: PERIOD_SECONDS,
    level: 'active',
    widget: false,
  },
  targetIds: null,
  lastPingAt: now,
  lastSuccessAt: now,
  lastDurationMs: null,
  runs: [],
  runUntil: null,
  downSince: null,
  alertId: null,
  pings: 1,
  minuteStart: 0,
  minutePings: 0,
  createdAt: now,
  updatedAt: now,
  ...state,
})

function allDown({ settings }, count) {
  return withContext(settings, async ({ db, clock }) => {
    const giveUpAt = clock.now() + GIVEN_UP_MS
    for (;;) {
      const down = await db.read.all(sql`select down_since from heartbeats where status = 'down' and slug like 'job-%'`)
      if (down.length >= count) return down.map(({ down_since }) => Number(down_since))
      if (clock.now() > giveUpAt) throw new Error(`${down.length} of ${count} are down`)
      await pause(500)
    }
  })
}

async function withContext(settings, work) {
  const { ctx, stop } = await openContext(settings)
  return work(ctx).finally(stop)
}
