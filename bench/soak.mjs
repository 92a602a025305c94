// `npm run soak`: a server under a steady load for two hours, with waits for answers and an APNs whose connections are reset
// all the time. Memory, sockets, timers and the write-ahead log must stay flat (R53). Options: --minutes 30,
// --database postgres, --rate 100.
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { currentRun, replaceResults } from '../scripts/reliability/results.mjs'
import { prepareHome } from './homes.mjs'
import { nowMs, pause } from './measure.mjs'
import { startApns, startHeliograph, startPostgres, withServers } from './servers.mjs'
import { openFlappingLink } from './soak/flapping-link.mjs'
import { startLoad } from './soak/load.mjs'
import { judge } from './soak/verdict.mjs'

const ACCOUNTS = 50
const WAITS = 20
const RESET_MS = 20_000
const MONITOR = new URL('soak-monitor.mjs', import.meta.url).href

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    rate: { type: 'string', default: '100' },
    database: { type: 'string', default: 'sqlite' },
  },
})
const minutes = Number(values.minutes)
const perSecond = Number(values.rate)
if (!(minutes > 0 && perSecond > 0 && ['sqlite', 'postgres'].includes(values.database))) {
  console.error('usage: npm run soak -- [--minutes 120] [--rate 100] [--database sqlite|postgres]')
  process.exit(2)
}

const { counts, samples } = await withServers(soak)
const findings = judge(samples)
const refused = [...counts.refused].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none'
console.log(
  `\n${counts.answered.toLocaleString('en')} requests answered in ${minutes} minutes; refused: ${refused}; failed: ${counts.failed}`,
)
for (const { what, figure, holds } of findings) console.log(`${holds ? 'flat ' : 'FAILS'}  ${what}: ${figure}`)
const isGood = findings.every(({ holds }) => holds) && counts.failed === 0
recordResult(isGood ? 'passed' : 'failed')
process.exit(isGood ? 0 : 1)

async function soak(keep) {
  const apns = await keep(startApns())
  const link = await keep(openFlappingLink(apns.url, RESET_MS))
  const databaseUrl = values.database === 'postgres' ? (await keep(startPostgres())).url : undefined
  const flapping = { ...apns, environment: { ...apns.environment, HELIOGRAPH_APNS_URL: link.url } }
  const home = await keep(prepareHome({ accounts: ACCOUNTS, apns: flapping, databaseUrl }))
  const environment = { ...home.environment, NODE_OPTIONS: `--import ${MONITOR}` }
  const server = await keep(startHeliograph(values.database, { ...home, environment }))
  const load = startLoad(server, { perSecond, waits: WAITS })
  const samples = await watch(server, home.folder)
  await load.end()
  return { counts: load.counts, samples }
}

// About 120 samples, however long it takes.
async function watch(server, folder) {
  const samples = []
  const endMs = nowMs() + minutes * 60_000
  while (nowMs() < endMs) {
    await pause(Math.max(1000, minutes * 500))
    const resources = await server.ask('resources')
    const sample = { atMs: nowMs(), ...resources, sockets: countSockets(server.pid), walMb: walMb(folder) }
    samples.push(sample)
    const { residentMb, sockets, timers, loopP99Ms } = sample
    const left = Math.max(0, (endMs - sample.atMs) / 60_000).toFixed(1)
    console.log(
      `${left} min left: ${residentMb.toFixed(0)} MB, ${sockets} sockets, ${timers} timers, log ${sample.walMb.toFixed(1)} MB, loop p99 ${loopP99Ms.toFixed(0)} ms`,
    )
  }
  return samples
}

function countSockets(pid) {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => isSocket(join(folder, name))).length
}

// A descriptor may be closed between the listing and the look.
function isSocket(path) {
  try {
    return readlinkSync(path).startsWith('socket:')
  } catch {
    return false
  }
}

function walMb(folder) {
  const file = join(folder, 'heliograph.db-wal')
  return existsSync(file) ? statSync(file).size / 2 ** 20 : 0
}

// Beside the results of `npm run test:faults`, for scripts/reliability.mjs.
function recordResult(state) {
  const inWords = ({ what, figure }) => `${what.toLowerCase()} ${figure}`
  const load = `${minutes} minutes, ${counts.answered.toLocaleString('en')} requests`
  const figure = `${load}: ${findings.map(inWords).join('; ')}`
  const title = `R53 soak on ${values.database}`
  const result = {
    run: currentRun(),
    project: 'soak',
    file: 'bench/soak.mjs',
    name: [title, ...findings.filter(({ holds }) => !holds).map(inWords)].join('; '),
    requirements: ['R53'],
    state,
    isFlaky: false,
    measured: [{ requirement: 'R53', database: values.database, figure }],
  }
  replaceResults(({ name }) => name.startsWith(title), [result])
}
