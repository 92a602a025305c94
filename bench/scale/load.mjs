// The work of many accounts on one deployment of PostgreSQL: what a request of each kind is, and a client that sends them one at a
// time and measures CPU time, disk and the write-ahead log meanwhile.
import pg from 'pg'
import { Pool } from 'undici'
import { CONTENT, MESSAGE } from '../examples.mjs'
import { prepareHome } from '../homes.mjs'
import { cpuMs, cpuMsOfFamily, median, nowMs, pause, residentKb } from '../measure.mjs'
import { startHeliograph } from '../servers.mjs'

// Then changes share no transaction and answers no system call, whatever the mix of requests is: the dearest case. With more at a
// time, each is cheaper.
export const AT_ONCE = 1
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
  const server = await keep(startHeliograph('PostgreSQL', collecting(home)))
  const deployment = { ...server, postgres, databaseUrl, home }
  const widget = post('/widgets', { slug: 'bench', name: 'Bench', content: CONTENT })
  await perform(deployment, accounts, () => widget)
  return deployment
}

// The log can be read again after a checkpoint. Autovacuum would run in one measurement and not in the next, whatever the requests
// there; `vacuum` after each of them is measured instead.
export async function prepareServer(url) {
  await query(url, 'create extension pg_walinspect')
  await query(url, `alter system set wal_keep_size = '4GB'`)
  await query(url, 'alter system set autovacuum = off')
  await query(url, 'select pg_reload_conf()')
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
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

// `requestOf`: the request with this number. The accounts take turns, in another order each time: of a mix of requests, each makes all.
async function perform({ url, keys }, amount, requestOf, first = 0) {
  const pool = new Pool(url, { connections: AT_ONCE })
  let next = first
  const work = async () => {
    while (next < first + amount) {
      const number = next++
      const { method, path, body, type = 'application/json' } = requestOf(number)
      const key = keys[(number + Math.floor(number / keys.length)) % keys.length]
      const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': type }) }
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

// How long it took, milliseconds of CPU time of the node and of PostgreSQL, bytes of the database and of the records of the log.
// `vacuum`: what that costs afterwards. It is not of the requests: it writes some hundred bytes for each table, however many they were.
export async function measureSpent(deployment, work) {
  const diskBefore = await vacuumedSize(deployment)
  const before = await reading(deployment)
  await work()
  const after = await reading(deployment)
  const diskAfter = await vacuumedSize(deployment)
  const cleaned = await reading(deployment)
  const { database: vacuumMs, log: vacuumBytes } = await spentBetween(deployment, after, cleaned)
  const spent = await spentBetween(deployment, before, after)
  return { ...spent, disk: diskAfter - diskBefore, vacuum: { database: vacuumMs, log: vacuumBytes } }
}

async function spentBetween(deployment, before, after) {
  return {
    seconds: after.seconds - before.seconds,
    node: after.node - before.node,
    database: after.database - before.database,
    log: (await logBetween(deployment, before.log, after.log)).records,
  }
}

async function reading({ pid, postgres }) {
  return {
    seconds: nowMs() / 1000,
    node: cpuMs(pid),
    database: cpuMsOfFamily(postgres.pid),
    log: await logPosition(postgres.url),
  }
}

// As autovacuum does. Versions of rows that later ones replaced are used again for new ones.
async function vacuumedSize({ databaseUrl }) {
  await query(databaseUrl, 'vacuum (analyze)')
  const { rows } = await query(databaseUrl, 'select pg_database_size(current_database()) as bytes')
  return Number(rows[0].bytes)
}

const PAGE_SAMPLES = 15
const PAGE_SETTLE_MS = 500
const PAGE_BYTES = 8192

// Bytes of whole pages that a request adds to the log if none of its pages was changed since the last checkpoint.
export async function measurePages(deployment, requestOf) {
  // The first read of a new row notes in its page that it is committed; vacuum has done so.
  await vacuumedSize(deployment)
  const samples = { idle: [], request: [] }
  for (let number = 0; number < PAGE_SAMPLES; number++) {
    samples.idle.push(await pagesAfterCheckpoint(deployment, () => {}))
    samples.request.push(await pagesAfterCheckpoint(deployment, () => perform(deployment, 1, requestOf, number)))
  }
  return PAGE_BYTES * Math.max(0, median(samples.request) - median(samples.idle))
}

async function pagesAfterCheckpoint(deployment, work) {
  const { url } = deployment.postgres
  await query(url, 'checkpoint')
  const before = await logPosition(url)
  await work()
  await pause(PAGE_SETTLE_MS)
  return (await logBetween(deployment, before, await logPosition(url))).pages
}

async function logPosition(url) {
  const { rows } = await query(url, 'select pg_current_wal_insert_lsn() as position')
  return rows[0].position
}

// The log has records of changes, and the whole page with the first change of a page after a checkpoint.
async function logBetween({ postgres: { url } }, from, to) {
  if (from === to) return { records: 0, pages: 0 }
  while (!(await isFlushed(url, to))) await pause(50)
  const { rows } = await query(
    url,
    `select (select sum(record_size) from pg_get_wal_stats('${from}', '${to}')) as records,
      (select count(*) from pg_get_wal_block_info('${from}', '${to}', false) where block_fpi_length > 0) as pages`,
  )
  return { records: Number(rows[0].records), pages: Number(rows[0].pages) }
}

// What no commit waits for is written a moment later.
async function isFlushed(url, position) {
  const { rows } = await query(url, `select pg_current_wal_flush_lsn() >= '${position}' as flushed`)
  return rows[0].flushed
}

const collecting = ({ environment, ...home }) => ({
  ...home,
  environment: {
    ...environment,
    NODE_OPTIONS: `--expose-gc --import=${new URL('../collect-garbage.mjs', import.meta.url).href}`,
  },
})

const COLLECT_MS = 2000

export async function memoryMb({ pid }) {
  process.kill(pid, 'SIGUSR2')
  await pause(COLLECT_MS)
  return residentKb(pid) / 1024
}
