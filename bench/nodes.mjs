// One, two and three nodes on one PostgreSQL: requests per second of all nodes together, and CPU time per request of the
// nodes and of PostgreSQL, by which a reader can size a machine. On a machine whose cores the nodes, PostgreSQL and the
// client share, the rate cannot grow with the nodes; the CPU time is what counts there.
import { CONTENT, MESSAGE } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { shoot } from './load.mjs'
import { cpuMsOfFamily, median } from './measure.mjs'
import { startHeliograph, startPostgres, withServers } from './servers.mjs'

const MOST_NODES = 3
const ACCOUNTS = 48
const WIDGET = '/widgets/office'
const REQUESTS = [
  {
    name: 'POST /notifications, push: false',
    method: 'POST',
    path: '/notifications',
    type: 'application/json',
    body: JSON.stringify({ ...MESSAGE, push: false }),
  },
  { name: 'GET /widgets/{slug}', method: 'GET', path: WIDGET },
]

export function measureNodes(options) {
  return withServers(async (keep) => {
    const postgres = await keep(startPostgres())
    const home = await keep(prepareHome({ accounts: ACCOUNTS, databaseUrl: postgres.url }))
    const nodes = [await keep(startHeliograph('node 1', home))]
    await createWidgets(nodes[0])
    const rows = []
    for (;;) {
      for (const request of REQUESTS) rows.push(await measureTogether(nodes, postgres, request, options))
      if (nodes.length === MOST_NODES) return rows
      nodes.push(await keep(startHeliograph(`node ${nodes.length + 1}`, home)))
    }
  })
}

async function createWidgets({ url, keys }) {
  for (const key of keys) {
    const answer = await fetch(`${url}/widgets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ slug: WIDGET.split('/').at(-1), name: 'Office', content: CONTENT }),
    })
    if (answer.status !== 201) throw new Error(`POST /widgets: ${answer.status} ${await answer.text()}`)
  }
}

// The connections are spread over the nodes, and so are the accounts.
async function measureTogether(nodes, postgres, request, { rounds, seconds, connections }) {
  const shares = nodes.map((node, index) => ({
    ...node,
    keys: node.keys.filter((_, account) => account % nodes.length === index),
  }))
  const limits = { duration: seconds, connections: Math.max(1, Math.floor(connections / nodes.length)) }
  const results = []
  for (let round = 0; round <= rounds; round++) {
    const beforeMs = cpuMsOfFamily(postgres.pid)
    const each = await Promise.all(shares.map((node) => shoot(node, request, limits)))
    const perSecond = each.reduce((sum, result) => sum + result.perSecond, 0)
    const postgresMicros = ((cpuMsOfFamily(postgres.pid) - beforeMs) * 1000) / (perSecond * seconds)
    // The first round warms up.
    if (round > 0) results.push({ perSecond, postgresMicros, ...worstOf(each) })
  }
  const of = (member) => Math.round(median(results.map((result) => result[member])))
  return {
    what: `${request.name}, ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`,
    value: of('perSecond'),
    unit: '/s',
    note: `${of('cpuMicros')} µs of CPU of a node each, ${of('postgresMicros')} µs of PostgreSQL, p99 ${of('p99Ms')} ms`,
  }
}

const worstOf = (each) => ({
  cpuMicros: Math.max(...each.map(({ cpuMicros }) => cpuMicros)),
  p99Ms: Math.max(...each.map(({ p99Ms }) => p99Ms)),
})
