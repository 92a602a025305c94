// Memory and disk of docs/performance.md: of an idle server, an open connection, an account that does nothing, and a message.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { measureApps } from '../apps.mjs'
import { prepareHome } from '../homes.mjs'
import { shoot } from '../load.mjs'
import { median, pause, residentKb } from '../measure.mjs'
import { TO_ONE_INBOX } from '../notifications.mjs'
import { startHeliograph, startPostgres, withServers } from '../servers.mjs'

const APPS = 1000
const ACCOUNTS = 10_000
const MESSAGES = 10_000
const STARTS = 3
const SETTLE_MS = 2000

export async function measureResources({ connections }) {
  const [{ value: connectionKb }] = await measureApps({ apps: APPS, seconds: 2, connections })
  const few = await measureIdle(1)
  const many = await measureIdle(ACCOUNTS + 1)
  return {
    idleMb: Math.round(few.residentKb / 1024),
    connectionKb: Math.round(connectionKb),
    accounts: ACCOUNTS,
    accountKb: Math.max(0, (many.residentKb - few.residentKb) / ACCOUNTS),
    accountDiskKb: (many.bytes - few.bytes) / 1024 / ACCOUNTS,
    messageBytes: { SQLite: await bytesOfMessage(), PostgreSQL: await bytesOfMessageOnPostgres() },
  }
}

function measureIdle(accounts) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome({ accounts }))
    const sizes = []
    for (let start = 0; start < STARTS; start++) {
      const server = await startHeliograph('SQLite', home)
      await pause(SETTLE_MS)
      sizes.push(residentKb(server.pid))
      await server.stop()
    }
    return { residentKb: median(sizes), bytes: fileBytes(home) }
  })
}

// A server that stops moves its log into the file.
const fileBytes = ({ folder }) => statSync(join(folder, 'heliograph.db')).size

function bytesOfMessage() {
  return withServers(async (keep) => {
    const home = await keep(prepareHome())
    const beforeBytes = fileBytes(home)
    const server = await keep(startHeliograph('SQLite', home))
    await shoot(server, TO_ONE_INBOX, { amount: MESSAGES, connections: 10 })
    await server.stop()
    return Math.round((fileBytes(home) - beforeBytes) / MESSAGES)
  })
}

function bytesOfMessageOnPostgres() {
  return withServers(async (keep) => {
    const { url } = await keep(startPostgres())
    const home = await keep(prepareHome({ databaseUrl: url }))
    const beforeBytes = await databaseBytes(url)
    const server = await keep(startHeliograph('PostgreSQL', home))
    await shoot(server, TO_ONE_INBOX, { amount: MESSAGES, connections: 10 })
    await server.stop()
    return Math.round(((await databaseBytes(url)) - beforeBytes) / MESSAGES)
  })
}

async function databaseBytes(connectionString) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  // Versions of rows that later ones replaced are used again for new ones.
  await client.query('vacuum')
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
  await client.end()
  return Number(rows[0].bytes)
}
