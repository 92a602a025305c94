// The work of many accounts on one deployment of PostgreSQL: what a request of each kind is, and a client that sends them a few at a
// time and measures CPU time, disk and the write-ahead log meanwhile.
import pg from 'pg'
import { Pool } from 'undici'
import { CONTENT, MESSAGE } from '../examples.mjs'
import { prepareHome } from '../homes.mjs'
import { cpuMs, cpuMsOfFamily, nowMs, pause, residentKb } from '../measure.mjs'
import { startHeliograph } from '../servers.mjs'

// So few that changes rarely share a transaction: what a request costs on a deployment with many accounts, each of which does
// little. With more at a time, each is cheaper.
export const AT_ONCE = 8
const STORED_EACH = 10
const SETTLE_MS = 3000

const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) })
const CHANGE = JSON.stringify({ content: { value: 22.5, subtitle: 'since 08:00' } })

export const KINDS = {
  send: { title: 'Send, stored only', request: () => post('/notifications', { ...MESSAGE, push: false }) },
  push: { title: 'Send with a push to a phone', request: () => post('/notifications', MESSAGE) },
  widget: {
    title: 'Change a widget',
    request: () => ({ method: 'PATCH', path: '/widgets/bench', body: CHANGE, type: 'application/merge-patch+json' }),
  },
  list: { title: 'List the 10 newest', request: () => ({ method: 'GET', path: '/notifications?limit=10' }) },
  read: { title: 'Read a widget', request: () => ({ method: 'GET', path: '/widgets/bench' }) },
}

// A database of its own in the server, with a widget and some notifications for each account.
export async function openDeployment(keep, postgres, apns, accounts) {
  const databaseUrl = await createDatabase(postgres.url)
  const home = await keep(prepareHome({ accounts, apns, databaseUrl }))
  await fillInboxes(databaseUrl)
  const server = await keep(startHeliograph('PostgreSQL', home))
  const deployment = { ...server, postgres, databaseUrl, home }
  const widget = post('/widgets', { slug: 'bench', name: 'Bench', content: CONTENT })
  await perform(deployment, accounts, () => widget)
  return deployment
}

export async function createDatabase(url) {
  const name = `scale_${Math.random().toString(36).slice(2)}`
  await query(url, `create database ${name}`)
  return url.replace(/[^/]*$/, name)
}

const fillInboxes = (url) =>
  query(
    url,
    `insert into notifications (user_id, level, thread_id, source, pushed, bytes, created_at, read_at)
      select u.id, 'active', 'ci', 'ci', 0, 200, u.created_at - n, u.created_at from users u, generate_series(1, ${STORED_EACH}) n;
    insert into notification_contents (notification_id, search_text, content)
      select id, 'build passed', '${JSON.stringify({ title: MESSAGE.title, body: MESSAGE.body, metadata: {} })}' from notifications;
    analyze`,
  )

async function query(connectionString, text) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const result = await client.query(text)
  await client.end()
  return result
}

// `requestOf`: the request with this number, which the account whose turn it is makes.
async function perform({ url, keys }, amount, requestOf) {
  const pool = new Pool(url, { connections: AT_ONCE })
  let next = 0
  const work = async () => {
    while (next < amount) {
      const number = next++
      const { method, path, body, type = 'application/json' } = requestOf(number)
      const headers = { authorization: `Bearer ${keys[number % keys.length]}`, ...(body && { 'content-type': type }) }
      const answer = await pool.request({ method, path, body, headers })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await pool.close()
}

// What so many requests cost in all, with what follows them in the background.
export const measureRequests = (deployment, amount, requestOf) =>
  measureSpent(deployment, async () => {
    await perform(deployment, amount, requestOf)
    await pause(SETTLE_MS)
  })

// How long it took, milliseconds of CPU time of the node and of PostgreSQL, bytes of the database and of the log.
export async function measureSpent(deployment, work) {
  const before = await reading(deployment)
  await work()
  const after = await reading(deployment)
  return Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]))
}

async function reading({ pid, postgres, databaseUrl }) {
  // Versions of rows that later ones replaced are used again for new ones.
  await query(databaseUrl, 'vacuum')
  const { rows } = await query(
    databaseUrl,
    `select pg_database_size(current_database()) as disk, pg_current_wal_lsn() - '0/0' as log`,
  )
  return {
    seconds: nowMs() / 1000,
    node: cpuMs(pid),
    database: cpuMsOfFamily(postgres.pid),
    disk: Number(rows[0].disk),
    log: Number(rows[0].log),
  }
}

export const memoryMb = ({ pid }) => residentKb(pid) / 1024
