// Activities without devices: changes per second as a ratio to bare Fastify routes with the same schemas.
// Goals on SQLite: an ongoing steps activity 0.45, a timeline with 300 points of each of ten series 0.25.
import { SERIES, STEPS } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { compareRates, shoot } from './load.mjs'
import { startBare, startHeliograph, startPostgres, withServers } from './servers.mjs'

const patch = (slug, content) => ({
  method: 'PATCH',
  path: `/activities/${slug}?upsert=true`,
  type: 'application/merge-patch+json',
  body: JSON.stringify({ state: 'ongoing', content }),
})
const CHANGE = { name: 'PATCH /activities/{slug}', goals: { SQLite: 0.45 }, ...patch('build', STEPS) }
const POINT = {
  name: 'PATCH of a timeline, 10 × 300 points',
  goals: { SQLite: 0.25 },
  ...patch('air', { template: 'timeline', value: SERIES }),
}
const POINTS_KEPT = 300

export function measureActivities(options) {
  return withServers(async (keep) => {
    const postgres = await keep(startPostgres())
    const servers = [
      await keep(startBare()),
      await keep(startHeliograph('SQLite', await keep(prepareHome()))),
      await keep(startHeliograph('PostgreSQL', await keep(prepareHome({ databaseUrl: postgres.url })))),
    ]
    const rows = []
    for (const [request, begun] of [
      [CHANGE, 1],
      [POINT, POINTS_KEPT],
    ]) {
      for (const server of servers) await shoot(server, request, { amount: begun, connections: 1 })
      rows.push(...(await compareRates(servers, request, options)))
    }
    return rows
  })
}
