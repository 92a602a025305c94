// Sends of other accounts while an account with a million notifications is deleted. Goal: their p99 at most doubles.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openClient } from './client.mjs'
import { MESSAGE } from './examples.mjs'
import { fillInbox, prepareHome } from './homes.mjs'
import { nowMs, pause, percentile } from './measure.mjs'
import { startHeliograph, startPostgres, withServers } from './servers.mjs'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const NOTIFICATIONS = 1_000_000
const SENDERS = 4
// A rate that leaves the machine time for the deletion: what is measured is waiting, not a lack of CPU.
const BETWEEN_SENDS_MS = 20
const QUIET_SECONDS = 10

export async function measureDeletion({ database }) {
  const databases = ['SQLite', 'PostgreSQL'].filter((name) => name.includes(database))
  const rows = []
  for (const name of databases) rows.push(await measureOne(name))
  return rows
}

function measureOne(database) {
  return withServers(async (keep) => {
    const databaseUrl = database === 'SQLite' ? undefined : (await keep(startPostgres())).url
    const home = await keep(prepareHome({ accounts: SENDERS + 1, databaseUrl }))
    await fillInbox(home, NOTIFICATIONS)
    const server = await keep(startHeliograph(database, home))
    const senders = await Promise.all(home.keys.slice(1).map((key) => keep(openClient(server, key))))
    await sendDuring(senders, () => pause(2000))
    const before = await sendDuring(senders, () => pause(QUIET_SECONDS * 1000))
    const startMs = nowMs()
    const during = await sendDuring(senders, () => deleteAccount(home))
    const [usual, busy] = [percentile(before, 99), percentile(during, 99)]
    return {
      what: `p99 of sends while 1,000,000 notifications are deleted, ${database}`,
      value: busy / usual,
      unit: '× that before',
      atMost: 2,
      note: `${usual.toFixed(1)} ms before, ${busy.toFixed(1)} ms during; took ${Math.round((nowMs() - startMs) / 1000)} s`,
    }
  })
}

export const deleteAccount = ({ folder, environment }) =>
  run(process.execPath, [MAIN, 'user', 'delete', 'user0', '--yes'], { cwd: folder, env: environment })

// How long each send takes until the work ends.
async function sendDuring(senders, work) {
  const tookMs = []
  let isDone = false
  const working = work().finally(() => (isDone = true))
  await Promise.all(
    senders.map(async (sender) => {
      while (!isDone) {
        const askedMs = nowMs()
        await sender.ask('POST', '/notifications', { ...MESSAGE, push: false })
        tookMs.push(nowMs() - askedMs)
        await pause(BETWEEN_SENDS_MS)
      }
    }),
  )
  await working
  return tookMs
}
