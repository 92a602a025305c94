// npm run bench -- --scale: measures the constants of the model of docs/scale.md, checks the model at three sizes, and writes
// docs/scale.json, from which `--redraw` writes the tables of the page.
import { writeFileSync } from 'node:fs'
import { addApps, createApps, openApps } from './apps.mjs'
import { deleteAccount } from './deletion.mjs'
import { describeRun } from './document.mjs'
import { fillInbox, prepareHome } from './homes.mjs'
import { cpuMsOfFamily, pause } from './measure.mjs'
import {
  AT_ONCE,
  createDatabase,
  KINDS,
  measurePages,
  measureRequests,
  measureSpent,
  memoryMb,
  openDeployment,
  prepareServer,
} from './scale/load.mjs'
import { predictMemoryMb, predictRequests } from './scale/model.mjs'
import { resultsFile, writeTables } from './scale/page.mjs'
import { startApns, startPostgres, withServers } from './servers.mjs'

const ACCOUNTS = 400
// Requests that each node serves before it is measured, so that V8 has compiled its code. A check has far fewer requests than the rounds.
const WARM_UP = 8000
const REQUESTS = 800
const IDLE_SECONDS = 10
const FEW_APPS = 100
const APPS = 800
const DELETED = 30_000
const SETTLE_MS = 5000
// Accounts, slices of requests of all kinds together, and open connections. Each slice is of 250 accounts, and vacuum cleans up after it. An
// account makes about as many requests of a kind, and in as short a time, as in the rounds of the constants: the second change of a widget
// within its throttle costs less than the first, and so does the second use of a key.
const CHECKS = [
  { name: 'small', accounts: 250, slices: 1, apps: 100 },
  { name: 'medium', accounts: 500, slices: 2, apps: 300 },
  { name: 'large', accounts: 1000, slices: 4, apps: 900 },
]
const SLICE = 2500
const ACCOUNTS_OF_SLICE = 250
// Beside the node of a check, the one of the rounds asks the database for work.
const NODES = 2
// Other shares than the rounds of the constants, in which each kind runs alone.
const MIX = ['push', 'widget', 'list', 'read', 'push', 'widget', 'send', 'read', 'list', 'widget']

// A round of the constants before each slice, so that a machine that others use affects both alike.
export function measureScale(options) {
  return withServers(async (keep) => {
    const postgres = await keep(startPostgres())
    const apns = await keep(startApns())
    await prepareServer(postgres.url)
    const run = describeRun(options)
    const open = (accounts) => openDeployment(keep, postgres, apns, accounts)
    const deployment = await open(ACCOUNTS)
    await measureRequests(deployment, WARM_UP, mixed)
    const rounds = []
    const checked = []
    for (const size of CHECKS) {
      const measureNextRound = async () => rounds.push(await measureRound(deployment))
      checked.push(await measureCheck(size, open, measureNextRound))
    }
    const pages = {}
    for (const [kind, { request }] of Object.entries(KINDS)) pages[kind] = await measurePages(deployment, request)
    const [connections, deletion] = [await measureConnections(open), await measureDeletion(keep, postgres)]
    const constants = { ...constantsOf(rounds, pages), connections, deletion }
    const checks = checked.map(({ seconds, ...check }) => ({
      ...check,
      seconds: Math.round(seconds),
      predicted: {
        ...predictRequests(constants, sharesOf(check.requests), seconds, NODES),
        memoryMb: predictMemoryMb(constants, check.apps),
      },
    }))
    writeFileSync(resultsFile, `${JSON.stringify({ run, atOnce: AT_ONCE, constants, checks }, null, 2)}\n`)
    writeTables()
  })
}

const mixed = (number) => KINDS[MIX[number % MIX.length]].request()

const sharesOf = (requests) =>
  Object.fromEntries(
    Object.keys(KINDS).map((kind) => [kind, (MIX.filter((one) => one === kind).length * requests) / MIX.length]),
  )

// What a second without requests and so many requests of each kind cost.
async function measureRound(deployment) {
  const round = { idle: await measureSpent(deployment, () => pause(IDLE_SECONDS * 1000)) }
  for (const [kind, { request }] of Object.entries(KINDS)) {
    round[kind] = await measureRequests(deployment, REQUESTS, request)
  }
  return round
}

// Milliseconds of CPU time and bytes: of a second without requests, in which both look for work that is due, and of a request.
function constantsOf(rounds, pages) {
  // Not the median: the costs of a check are a sum, which the rare dear requests are part of.
  const mean = (valueIn) => Math.max(0, rounds.map(valueIn).reduce((sum, value) => sum + value) / rounds.length)
  const idleOf = (what) => mean(({ idle }) => idle[what] / idle.seconds)
  const idle = { node: idleOf('node'), database: idleOf('database'), log: idleOf('log') }
  const each = (kind, what) => mean(({ [kind]: total }) => (total[what] - (idle[what] ?? 0) * total.seconds) / REQUESTS)
  const kinds = Object.entries(KINDS).map(([kind, { title }]) => [
    kind,
    {
      title,
      ...Object.fromEntries(['node', 'database', 'disk', 'log'].map((what) => [what, each(kind, what)])),
      pages: pages[kind],
    },
  ])
  return { idle, kinds: Object.fromEntries(kinds) }
}

// From two numbers of connections: V8 enlarges its heap with the first ones, whatever their number.
export function measureConnections(open) {
  return withServers(async (keep) => {
    const deployment = await keep(open(ACCOUNTS))
    await measureRequests(deployment, WARM_UP + REQUESTS, mixed)
    await openStreams(keep, deployment, FEW_APPS)
    const withFewMb = await memoryMb(deployment)
    await openStreams(keep, deployment, APPS, FEW_APPS)
    const kbEach = (((await memoryMb(deployment)) - withFewMb) * 1024) / APPS
    return { baseMb: withFewMb - (FEW_APPS * kbEach) / 1024, kbEach }
  })
}

// Old notifications are deleted in the same batches as those of an account that is deleted.
async function measureDeletion(keep, postgres) {
  const home = await keep(prepareHome({ databaseUrl: await createDatabase(postgres.url) }))
  await fillInbox(home, DELETED)
  const beforeMs = cpuMsOfFamily(postgres.pid)
  await deleteAccount(home)
  return { rows: DELETED, database: (cpuMsOfFamily(postgres.pid) - beforeMs) / DELETED }
}

// Each account may have ten devices, and has a phone, so those beyond `alreadyOpen` belong to other accounts.
const APPS_EACH = 9

async function openStreams(keep, deployment, count, alreadyOpen = 0) {
  const passwords = await addApps(
    deployment,
    deployment.home.tokens.slice(Math.ceil(alreadyOpen / APPS_EACH)),
    count,
    APPS_EACH,
  )
  await pause(SETTLE_MS)
  const open = await keep(createApps())
  await openApps(deployment, passwords, open.apps)
  await pause(SETTLE_MS)
}

function measureCheck({ slices, ...size }, open, beforeSlice) {
  return withServers(async (keep) => {
    const deployment = await keep(open(size.accounts))
    await measureRequests(deployment, WARM_UP, mixed)
    const parts = []
    for (let slice = 0; slice < slices; slice++) {
      await beforeSlice()
      const keys = deployment.keys.slice(slice * ACCOUNTS_OF_SLICE, (slice + 1) * ACCOUNTS_OF_SLICE)
      parts.push(await measureRequests({ ...deployment, keys }, SLICE, mixed))
    }
    await openStreams(keep, deployment, size.apps)
    const { seconds, ...measured } = parts.reduce(plus)
    return {
      ...size,
      requests: slices * SLICE,
      seconds,
      measured: { ...measured, memoryMb: await memoryMb(deployment) },
    }
  })
}

const plus = (one, other) =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [
      name,
      typeof value === 'number' ? value + other[name] : plus(value, other[name]),
    ]),
  )
