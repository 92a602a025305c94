// Sends of an organization to 100, 1,000 and 10,000 members: how long until every entry is stored, the longest turn of the
// event loop, which on SQLite is the longest step, and how long another account's send takes meanwhile.
// Goals: 1,000 entries within 3 s and 10,000 within 30 s, no turn over 50 ms, and the p99 of the other account at most
// doubled.
import { openClient } from './client.mjs'
import { MESSAGE } from './examples.mjs'
import { fillOrganization, prepareHome } from './homes.mjs'
import { nowMs, pause, percentile } from './measure.mjs'
import { startHeliograph, startPostgres, withServers } from './servers.mjs'

const SIZES = [{ members: 100 }, { members: 1000, withinSeconds: 3 }, { members: 10_000, withinSeconds: 30 }]
const STEP_AT_MOST_MS = 50
const POLL_MS = 20
// Between two sends of the other account: about a hundred a second.
const NEIGHBOUR_PAUSE_MS = 10
// A send to few members takes too short for a p99, so it is repeated.
const SENDS_AT_LEAST_MS = 2000

export async function measureOrganizations({ seconds }) {
  const rows = []
  for (const database of ['SQLite', 'PostgreSQL']) {
    for (const size of SIZES) rows.push(...(await measureOne(database, size, seconds)))
  }
  return rows
}

function measureOne(database, { members, withinSeconds }, seconds) {
  return withServers(async (keep) => {
    const databaseUrl = database === 'PostgreSQL' ? (await keep(startPostgres())).url : undefined
    const home = await keep(prepareHome({ accounts: 2, databaseUrl }))
    const { key } = await fillOrganization(home, members)
    const monitor = new URL('./loop-monitor.mjs', import.meta.url).href
    const environment = { ...home.environment, NODE_OPTIONS: `--import=${monitor}` }
    const server = await keep(startHeliograph(database, { ...home, environment }))
    const [sender, neighbour] = [await keep(openClient(server, key)), await keep(openClient(server, home.keys[1]))]
    await warmUp(sender, neighbour)
    const quiet = await watch(neighbour, () => pause(seconds * 1000))
    await server.ask('longest stall')
    const spreadMs = []
    const busy = await watch(neighbour, async () => {
      const endMs = nowMs() + SENDS_AT_LEAST_MS
      do spreadMs.push(await sendToAll(sender, members))
      while (nowMs() < endMs)
    })
    const { longestMs: stallMs } = await server.ask('longest stall')
    const name = `${members.toLocaleString('en')} members, ${database}`
    return [
      {
        what: `until all have it, ${name}`,
        value: Math.max(...spreadMs) / 1000,
        unit: 's',
        atMost: withinSeconds,
        note: `longest of ${spreadMs.length}`,
      },
      { what: `longest turn of the event loop, ${name}`, value: stallMs, unit: 'ms', atMost: STEP_AT_MOST_MS },
      {
        what: `p99 of another account’s send, ${name}`,
        value: percentile(busy, 99),
        unit: 'ms',
        note: `${percentile(quiet, 99).toFixed(1)} ms when quiet; longest ${Math.max(...busy).toFixed(0)} ms`,
        atMost: Math.ceil(2 * percentile(quiet, 99)),
      },
    ]
  })
}

// Resolves with the time from the request until every member has an entry.
async function sendToAll(sender, members) {
  const startMs = nowMs()
  const { id, recipients } = await sender.ask('POST', '/notifications', MESSAGE)
  let progress = recipients
  while (!progress.done) {
    await pause(POLL_MS)
    progress = (await sender.ask('GET', `/notifications/${id}`)).recipients
  }
  if (progress.stored !== members) throw new Error(`${progress.stored} of ${members} entries were stored`)
  return nowMs() - startMs
}

// The times of another account's sends during the work.
async function watch(neighbour, work) {
  const timesMs = []
  let isDone = false
  const working = work().finally(() => (isDone = true))
  while (!isDone) {
    const startMs = nowMs()
    await neighbour.ask('POST', '/notifications', MESSAGE)
    timesMs.push(nowMs() - startMs)
    await pause(NEIGHBOUR_PAUSE_MS)
  }
  await working
  return timesMs
}

// The first request of a route compiles its schema.
async function warmUp(...clients) {
  for (const { ask } of clients) {
    for (let n = 0; n < 50; n++) {
      await ask('POST', '/notifications?dry_run=true', MESSAGE)
      await ask('GET', '/notifications?limit=1')
    }
  }
}
