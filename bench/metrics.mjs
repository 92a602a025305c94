// The cost of metrics: CPU time per request of a server that exports them and is scraped, as a ratio to one that does not.
// Goal: 2 % at most.
import { MESSAGE } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { shoot } from './load.mjs'
import { inRounds, inWords } from './measure.mjs'
import { freePort, startHeliograph, withServers } from './servers.mjs'

const SEND = {
  name: 'POST /notifications, push: false',
  method: 'POST',
  path: '/notifications',
  type: 'application/json',
  body: JSON.stringify({ ...MESSAGE, push: false }),
}
const READ = { name: 'GET /widgets', method: 'GET', path: '/widgets' }
// Prometheus scrapes every 15 s by default.
const SCRAPE_EVERY_MS = 1000

export function measureMetrics(options) {
  return withServers(async (keep) => {
    const port = await freePort()
    const servers = [
      await keep(startOn(await keep(prepareHome()), {})),
      await keep(startOn(await keep(prepareHome()), { HELIOGRAPH_METRICS_PORT: String(port) })),
    ]
    await keep(scrapeOften(`http://127.0.0.1:${port}/metrics`))
    const rows = []
    for (const request of [READ, SEND]) rows.push(await compareCpu(servers, request, options))
    return rows
  })
}

const startOn = (home, more) => startHeliograph('SQLite', { ...home, environment: { ...home.environment, ...more } })

function scrapeOften(url) {
  const timer = setInterval(() => fetch(url).then((answer) => answer.text()), SCRAPE_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}

// The rounds with the least CPU time: whatever else runs on the machine adds to the others.
async function compareCpu(servers, request, options) {
  const [without, withMetrics] = await inRounds(servers, options, (server, duration) =>
    shoot(server, request, { duration, connections: options.connections }),
  )
  const least = (results) => Math.min(...results.map(({ cpuMicros }) => cpuMicros))
  return {
    what: `CPU of ${request.name} with metrics, SQLite`,
    value: least(withMetrics) / least(without),
    unit: 'of without',
    atMost: 1.02,
    note: `${inWords(withMetrics, 'requests')}; without ${inWords(without, 'requests')}`,
  }
}
