// How long another account waits while one account works on a large inbox: a million small entries, or 6,000 of 90 KB.
// Goal: 50 ms. The log of SQLite must stay under 64 MB.
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openClient } from './client.mjs'
import { fillInbox, prepareHome } from './homes.mjs'
import { nowMs } from './measure.mjs'
import { startHeliograph, startPostgres, withServers } from './servers.mjs'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const MILLION_SMALL = { size: '1,000,000 small', count: 1_000_000, large: false }
const INBOXES = [MILLION_SMALL, { size: '6,000 of 90 KB', count: 6000, large: true }]
const DAY_MS = 86_400_000

const list = (query) => async (ask) => {
  for (let cursor; ; ) {
    const page = await ask('GET', `/notifications?limit=100&${query}${cursor ? `&cursor=${cursor}` : ''}`)
    cursor = page.next_cursor
    if (!cursor || page.items.length > 0) return
  }
}
const at = (daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString()

const WORK = [
  ['nothing', () => pause(1000)],
  ['list', list('')],
  ['list unread', list('unread=true')],
  ['source, no match', list('source=none')],
  ['thread_id, no match', list('thread_id=none')],
  ['level, no match', list('level=critical')],
  ['since and until, old', list(`since=${at(50)}&until=${at(49.9)}`)],
  ['q, match', list('q=passed')],
  ['q, no match', list('q=zzz')],
  [
    'delete one',
    async (ask) => ask('DELETE', `/notifications/${(await ask('GET', '/notifications?limit=1')).items[0].id}`),
  ],
  ['read all', (ask) => ask('POST', '/notifications/read', { all: true })],
  [
    'user delete',
    (_ask, { folder, environment }) =>
      run(process.execPath, [MAIN, 'user', 'delete', 'user0', '--yes'], { cwd: folder, env: environment }),
  ],
]

export async function measureLargeInbox() {
  const rows = []
  for (const inbox of INBOXES) {
    for (const database of ['SQLite', 'PostgreSQL']) rows.push(...(await measureOne(database, inbox)))
  }
  return rows
}

export const measureMillion = (database) => measureOne(database, MILLION_SMALL)

function measureOne(database, { size, count, large }) {
  return withServers(async (keep) => {
    const databaseUrl = database === 'SQLite' ? undefined : (await keep(startPostgres())).url
    const home = await keep(prepareHome({ accounts: 2, databaseUrl }))
    await fillInbox(home, count, { large })
    const server = await keep(startHeliograph(database, home))
    const [owner, neighbour] = await Promise.all(home.tokens.map((token) => keep(openClient(server, token))))
    for (let n = 0; n < 200; n++) await neighbour.ask('GET', '/notifications/unread-count')
    // The first request of a route compiles its schema, which takes about 40 ms and is not part of the measurement.
    await owner.ask('GET', '/notifications?limit=1')
    await owner.ask('POST', '/notifications/read', { ids: [] })
    const rows = []
    for (const [what, work] of WORK) {
      const { longestMs, tookMs } = await watch(neighbour, () => work(owner.ask, home))
      const log = databaseUrl ? '' : `, log ${logMegabytes(home)} MB`
      rows.push({
        work: what,
        what: `${what} (${size}, ${database})`,
        value: longestMs,
        unit: 'ms',
        atMost: 50,
        note: `took ${Math.round(tookMs)} ms${log}`,
      })
    }
    return rows
  })
}

// The longest time that the neighbour waits for an answer during the work.
async function watch(neighbour, work) {
  let isDone = false
  let longestMs = 0
  const startMs = nowMs()
  const working = work().finally(() => (isDone = true))
  while (!isDone) {
    const askedMs = nowMs()
    await neighbour.ask('GET', '/notifications/unread-count')
    longestMs = Math.max(longestMs, nowMs() - askedMs)
    await pause(1)
  }
  await working
  return { longestMs, tookMs: nowMs() - startMs }
}

const logMegabytes = ({ folder }) => Math.round(statSync(join(folder, 'heliograph.db-wal')).size / 1e6)
