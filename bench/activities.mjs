// Activities without devices: changes per second as a ratio to bare Fastify routes with the same schemas.
// Goals: an ongoing steps activity 0.45 on SQLite, and 0.12 on PostgreSQL; a timeline with 300 points of each of ten series
// 0.25 on SQLite.
//
// On PostgreSQL, changes of one activity wait for each other, so they share transactions, and each costs less than one of 24
// activities of 24 accounts.
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
const ACCOUNTS = 24
export const CHANGE = {
  name: `PATCH /activities/{slug} of ${ACCOUNTS} accounts`,
  goals: { SQLite: 0.45, PostgreSQL: 0.12 },
  ...patch('build', STEPS),
}
const CHANGE_OF_ONE = {
  name: 'PATCH of one activity',
  accounts: 1,
  goals: { PostgreSQL: 0.12 },
  ...patch('build', STEPS),
}
const POINT = {
  name: 'PATCH of a timeline, 10 × 300 points',
  accounts: 1,
  goals: { SQLite: 0.25 },
  ...patch('air', { template: 'timeline', value: SERIES }),
}
const POINTS_KEPT = 300

export function measureActivities(options) {
  return withServers(async (keep) => {
    const postgres = await keep(startPostgres())
    const servers = [
      await keep(startBare()),
      await keep(startHeliograph('SQLite', await keep(prepareHome({ accounts: ACCOUNTS })))),
      await keep(
        startHeliograph('PostgreSQL', await keep(prepareHome({ accounts: ACCOUNTS, databaseUrl: postgres.url }))),
      ),
    ]
    const rows = []
    for (const [request, begun] of [
      [CHANGE, ACCOUNTS],
      [CHANGE_OF_ONE, 1],
      [POINT, POINTS_KEPT],
    ]) {
      const those = servers.map((server) => ({ ...server, keys: server.keys.slice(0, request.accounts) }))
      for (const server of those) await shoot(server, request, { amount: begun, connections: 1 })
      rows.push(...(await compareRates(those, request, options)))
    }
    return rows
  })
}
