// Widgets: requests per second as a ratio to bare Fastify routes with the same schemas.
// Goals: reading 0.75 on SQLite and 0.3 on PostgreSQL, changing 0.5 and 0.12.
import { CONTENT } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { compareRates, shoot } from './load.mjs'
import { startBare, startHeliograph, startPostgres, withServers } from './servers.mjs'

export const READ = {
  name: 'GET /widgets/{slug}',
  goals: { SQLite: 0.75, PostgreSQL: 0.3 },
  method: 'GET',
  path: '/widgets/bench',
}
export const CHANGE = {
  name: 'PATCH /widgets/{slug}',
  goals: { SQLite: 0.5, PostgreSQL: 0.12 },
  method: 'PATCH',
  path: '/widgets/bench',
  type: 'application/merge-patch+json',
  body: JSON.stringify({ content: { value: 22.5, subtitle: 'since 08:00' } }),
}
export const POST_AGAIN = {
  name: 'POST /widgets, again',
  method: 'POST',
  path: '/widgets',
  type: 'application/json',
  body: JSON.stringify({ slug: 'bench', name: 'Bench', content: CONTENT }),
}

export function measureWidgets(options) {
  return withServers(async (keep) => {
    const postgres = await keep(startPostgres())
    const servers = [
      await keep(startBare()),
      await keep(startHeliograph('SQLite', await keep(prepareHome()))),
      await keep(startHeliograph('PostgreSQL', await keep(prepareHome({ databaseUrl: postgres.url })))),
    ]
    for (const server of servers) await shoot(server, POST_AGAIN, { amount: 1, connections: 1 })
    const rows = []
    for (const request of [READ, CHANGE, POST_AGAIN]) rows.push(...(await compareRates(servers, request, options)))
    return rows
  })
}
