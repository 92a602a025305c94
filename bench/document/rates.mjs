// The rates of docs/performance.md: for each request and database the ratio to a bare route with the same schema, its spread over
// the rounds, and the CPU time of the node and of PostgreSQL.
import { CHANGE as CHANGE_ACTIVITY } from '../activities.mjs'
import { openClient } from '../client.mjs'
import { CONTENT } from '../examples.mjs'
import { accountsToPushFor, prepareHome } from '../homes.mjs'
import { shoot } from '../load.mjs'
import { cpuMsOfFamily, inRounds, median, WARM_UP_SECONDS } from '../measure.mjs'
import { TO_DEVICE, TO_INBOX } from '../notifications.mjs'
import { startApns, startBare, startHeliograph, startPostgres, withServers } from '../servers.mjs'
import { CHANGE as CHANGE_WIDGET, READ } from '../widgets.mjs'

const ACCOUNTS = 48
// An account may have 50.
const SLUGS = ['bench', ...Array.from({ length: 49 }, (_, number) => `bench-${number}`)]
const ACTIVITIES = Array.from({ length: 5 }, (_, number) => CHANGE_ACTIVITY.path.replace('build', `build-${number}`))

export const REQUESTS = [
  { ...TO_INBOX, title: 'Send to one inbox', accounts: 1 },
  { ...TO_INBOX, title: `Send to ${ACCOUNTS} inboxes`, accounts: ACCOUNTS },
  { ...TO_DEVICE, title: 'Send with a push to a phone' },
  {
    ...CHANGE_WIDGET,
    title: 'Change 50 widgets of an account',
    accounts: 1,
    paths: SLUGS.map((slug) => `/widgets/${slug}`),
  },
  { ...CHANGE_WIDGET, title: `Change widgets of ${ACCOUNTS} accounts`, accounts: ACCOUNTS },
  { ...CHANGE_ACTIVITY, title: 'Change 5 activities of an account', accounts: 1, paths: ACTIVITIES },
  { ...READ, title: 'Read a widget', accounts: 1 },
]
const WARM_UP_EACH_SECONDS = 3

export function measureRates({ rounds, seconds, connections }) {
  return withServers(async (keep) => {
    const servers = await startServers(keep, rounds * seconds + WARM_UP_EACH_SECONDS, connections)
    for (const server of servers) await prepare(server, connections)
    const rates = []
    for (const request of REQUESTS) {
      const those = servers.map((server) => ({ ...server, keys: server.keys.slice(0, request.accounts) }))
      const options = { rounds, seconds, warmUpSeconds: WARM_UP_EACH_SECONDS }
      const results = await inRounds(those, options, (server, duration) =>
        shootCounted(server, request, { duration, connections }),
      )
      rates.push({ title: request.title, results: those.map(({ name }, index) => summary(name, results, index)) })
    }
    return rates
  })
}

async function startServers(keep, pushSeconds, connections) {
  const accounts = accountsToPushFor(pushSeconds, connections)
  const postgres = await keep(startPostgres())
  const apns = await keep(startApns())
  const onPostgres = await keep(prepareHome({ accounts, apns, databaseUrl: postgres.url }))
  return [
    await keep(startBare()),
    await keep(startHeliograph('SQLite', await keep(prepareHome({ accounts, apns })))),
    { ...(await keep(startHeliograph('PostgreSQL', onPostgres))), postgres },
  ]
}

// Creates what the requests read and change, and warms the server up.
async function prepare(server, connections) {
  for (const [index, key] of server.keys.slice(0, ACCOUNTS).entries()) {
    const client = openClient(server, key)
    for (const slug of index === 0 ? SLUGS : SLUGS.slice(0, 1)) {
      await client.ask('POST', '/widgets', { slug, name: 'Bench', content: CONTENT })
    }
    await client.stop()
  }
  await shoot(server, TO_INBOX, { duration: WARM_UP_SECONDS, connections })
}

async function shootCounted(server, request, limits) {
  const beforeMs = server.postgres ? cpuMsOfFamily(server.postgres.pid) : 0
  const result = await shoot(server, request, limits)
  const databaseMs = server.postgres ? cpuMsOfFamily(server.postgres.pid) - beforeMs : 0
  return { ...result, databaseMicros: (databaseMs * 1000) / (result.perSecond * limits.duration) }
}

function summary(name, results, index) {
  const ratios = results[index].map(({ perSecond }, round) => perSecond / results[0][round].perSecond)
  const middle = (member) => Math.round(median(results[index].map((result) => result[member])))
  return {
    name,
    ...{ ratio: rounded(median(ratios)), least: rounded(Math.min(...ratios)), most: rounded(Math.max(...ratios)) },
    ...{ perSecond: middle('perSecond'), p99Ms: middle('p99Ms') },
    ...{ cpuMicros: middle('cpuMicros'), databaseMicros: middle('databaseMicros') },
  }
}

const rounded = (ratio) => Number(ratio.toFixed(3))
