// npm run bench: measures rates as ratios to a ceiling of the same run where there is one, latency, memory and stalls.
// Uses loopback only and exits with 0 whether goals are met or not; with 1 if a benchmark failed.
//   npm run bench -- --only notifications --only apns --rounds 5 --seconds 2 --connections 48
//   npm run bench -- --only hostile --attack 'fields of a form' --database SQLite
//   npm run bench -- --only deletion --database SQLite
//   npm run bench -- --compare COMMIT, which exits with 1 if a rate is less than 0.95 of that commit's
//   npm run bench -- --peers ntfy=PATH gotify=PATH bark=PATH
//   npm run bench -- --document, which writes docs/performance.md, and --scale, which writes the tables of docs/scale.md;
//   --redraw writes both from docs/performance.json and docs/scale.json
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measureActivities } from './activities.mjs'
import { measureApns } from './apns.mjs'
import { measureApps } from './apps.mjs'
import { measureAgainst } from './compare.mjs'
import { measureConsole } from './console.mjs'
import { measureDeletion } from './deletion.mjs'
import { measureDocument, redraw } from './document.mjs'
import { measureDoors } from './doors.mjs'
import { measureHeartbeats } from './heartbeats.mjs'
import { measureHostile } from './hostile.mjs'
import { measureJobs } from './jobs.mjs'
import { measureLargeInbox } from './large-inbox.mjs'
import { measureLatency } from './latency.mjs'
import { WARM_UP_SECONDS } from './measure.mjs'
import { measureMetrics } from './metrics.mjs'
import { measureNodes } from './nodes.mjs'
import { measureNotifications } from './notifications.mjs'
import { measureOrganizations } from './organizations.mjs'
import { peerTables, readPeers } from './peers.mjs'
import { measurePhones } from './phones.mjs'
import { measurePictures } from './pictures.mjs'
import { writeTables } from './scale/page.mjs'
import { measureScale } from './scale.mjs'
import { measureSize } from './size.mjs'
import { measureStart } from './start.mjs'
import { inTable } from './table.mjs'
import { measureWaits } from './waits.mjs'
import { measureWidgets } from './widgets.mjs'

const BENCHMARKS = {
  widgets: measureWidgets,
  notifications: measureNotifications,
  nodes: measureNodes,
  doors: measureDoors,
  activities: measureActivities,
  apns: measureApns,
  latency: measureLatency,
  jobs: measureJobs,
  heartbeats: measureHeartbeats,
  waits: measureWaits,
  apps: measureApps,
  phones: measurePhones,
  organizations: measureOrganizations,
  pictures: measurePictures,
  size: measureSize,
  inbox: measureLargeInbox,
  deletion: measureDeletion,
  start: measureStart,
  console: measureConsole,
  metrics: measureMetrics,
  hostile: measureHostile,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(BENCHMARKS) },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: String(WARM_UP_SECONDS) },
    connections: { type: 'string', default: '48' },
    // 5,000 is the goal; the default keeps the run short.
    apps: { type: 'string', default: '500' },
    // 10,000 is the goal, with --seconds 60.
    phones: { type: 'string', default: '500' },
    heartbeats: { type: 'string', default: '10000' },
    // Parts of names, for hostile.
    attack: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
    compare: { type: 'string' },
    peers: { type: 'boolean', default: false },
    document: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    redraw: { type: 'boolean', default: false },
  },
})
const options = {
  rounds: wholeNumber('rounds'),
  seconds: wholeNumber('seconds'),
  warmUpSeconds: wholeNumber('warm-up'),
  connections: wholeNumber('connections'),
  apps: wholeNumber('apps'),
  phones: wholeNumber('phones'),
  heartbeats: wholeNumber('heartbeats'),
  attack: values.attack,
  database: values.database,
}
if (positionals.length > 0 && !values.peers) refuse(`"${positionals[0]}" needs --peers`)
const unknown = values.only.find((name) => !(name in BENCHMARKS))
if (unknown) refuse(`there is no benchmark "${unknown}"; there are ${Object.keys(BENCHMARKS).join(', ')}`)

// Exit explicitly on a signal, so that the exit handler of servers.mjs ends the started servers.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

if (values.redraw) redrawAll()
else if (values.scale) await measureScale(options)
else if (values.document) await measureDocument(options, values.peers ? chosenPeers() : undefined)
else await printTables()

function redrawAll() {
  redraw()
  writeTables()
}

async function printTables() {
  const load = loadavg()[0]
  const sections = []
  for (const [title, benchmark] of chosenBenchmarks()) sections.push(await measure(title, benchmark))
  console.log(
    `\nNode.js ${process.versions.node}, ${availableParallelism()} cores, load before the run ${load.toFixed(1)}`,
  )
  if (load > 1) console.log('The machine is busy: times and memory are unreliable, and ratios are rough.')
  console.log(`\n${inTable(sections)}`)
  const isSlower =
    values.compare && sections.some(({ rows = [] }) => rows.some(({ value, atLeast }) => value < atLeast))
  if (isSlower || sections.some(({ failure }) => failure)) process.exitCode = 1
}

function chosenBenchmarks() {
  if (values.compare) {
    return [[`compared with ${values.compare}`, () => measureAgainst(values.compare, options)]]
  }
  return values.peers ? chosenPeers() : values.only.map((name) => [name, BENCHMARKS[name]])
}

function chosenPeers() {
  if (positionals.length === 0) {
    console.error('Without the paths of other programs. Give them so: --peers ntfy=PATH gotify=PATH bark=PATH')
  }
  try {
    return peerTables(readPeers(positionals), options)
  } catch (error) {
    refuse(error.message)
  }
}

async function measure(title, benchmark) {
  console.error(`measuring ${title} …`)
  try {
    return { title, rows: await benchmark(options) }
  } catch (error) {
    return { title, failure: error.message }
  }
}

function wholeNumber(name) {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) refuse(`--${name} must be a whole number from 1`)
  return value
}

function refuse(sentence) {
  console.error(`bench: ${sentence}`)
  process.exit(1)
}
