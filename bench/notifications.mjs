// Sending: requests per second as a ratio to a bare Fastify route with the same schema.
// Goals on SQLite: 0.5 with push false, 0.3 with a push to one device, which the answer waits for. On PostgreSQL: 0.18 with push
// false, for many accounts and for one account, whose sends share transactions.
import { MESSAGE } from './examples.mjs'
import { accountsToPushFor, prepareHome } from './homes.mjs'
import { compareRates } from './load.mjs'
import { residentKb, WARM_UP_SECONDS } from './measure.mjs'
import { startApns, startBare, startHeliograph, startPostgres, withServers } from './servers.mjs'

const POST = { method: 'POST', path: '/notifications', type: 'application/json' }
export const TO_INBOX = {
  ...POST,
  name: 'POST /notifications, push: false',
  goals: { SQLite: 0.5, PostgreSQL: 0.18 },
  body: JSON.stringify({ ...MESSAGE, push: false }),
}
export const TO_ONE_INBOX = { ...TO_INBOX, name: `${TO_INBOX.name}, one account`, accounts: 1 }
export const TO_DEVICE = {
  ...POST,
  name: 'POST /notifications, one device',
  goals: { SQLite: 0.3 },
  body: JSON.stringify(MESSAGE),
  expected: '"delivery":"all"',
}

export function measureNotifications(options) {
  return withServers(async (keep) => {
    const accounts = accountsToPushFor(WARM_UP_SECONDS + options.rounds * options.seconds, options.connections)
    const postgres = await keep(startPostgres())
    const apns = await keep(startApns())
    const servers = [
      await keep(startBare()),
      await keep(startHeliograph('SQLite', await keep(prepareHome({ accounts, apns })))),
      await keep(startHeliograph('PostgreSQL', await keep(prepareHome({ accounts, apns, databaseUrl: postgres.url })))),
    ]
    const rows = []
    for (const request of [TO_INBOX, TO_ONE_INBOX, TO_DEVICE]) {
      const those = servers.map((server) => ({ ...server, keys: server.keys.slice(0, request.accounts) }))
      rows.push(...(await compareRates(those, request, options)))
    }
    const memory = servers.slice(1).map(({ name, pid }) => ({
      what: `Resident memory after that, ${name}`,
      value: residentKb(pid) / 1024,
      unit: 'MB',
    }))
    return [...rows, ...memory]
  })
}
