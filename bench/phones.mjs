// Phones with apps of others. A send to each of many Bark phones, as a ratio to the same sends to phones with an app of one's own;
// and messages of UnifiedPush for many endpoints: how many are lost, and how much longer the sends of another account take
// meanwhile, with a request that needs no database for comparison. Goals: 0.9, none, and 1.2 times the p99 without them.
//   npm run bench -- --only phones --phones 10000 --seconds 60
import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { openContext } from '../src/boot/context.ts'
import { addBarkDevice } from '../src/operations/apps/bark/add.ts'
import { registerBarkPhone } from '../src/operations/apps/bark/register.ts'
import { authenticate, readCredentials } from '../src/operations/authenticate.ts'
import { registerDevice } from '../src/operations/devices.ts'
import { loadConfig } from '../src/runtime/config.ts'
import { MESSAGE } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { cpuMs, cpuMsOfFamily, inRounds, median, nowMs, pause, percentile, ratiosToFirst } from './measure.mjs'
import { startApns, startHeliograph, startPostgres, withServers } from './servers.mjs'

// Each phone has so many endpoints. An account may store 20 messages at the same time.
const ENDPOINTS_EACH = 10
const AT_ONCE = 48
const POSTS_PER_SECOND = 500
// Meanwhile the client of the load opens its connections.
const CONNECTING_SECONDS = 1
const GIVEN_UP_MS = 120_000
const APART_MS = 20

export async function measurePhones(options) {
  const databases = ['SQLite', 'PostgreSQL'].filter((name) => name.includes(options.database))
  const rows = []
  for (const name of databases)
    rows.push(...(await measureBark(name, options)), ...(await measureEndpoints(name, options)))
  return rows
}

const databaseFor = async (name, keep) => (name === 'PostgreSQL' ? (await keep(startPostgres())).url : undefined)

// Half of the accounts have an app of their own, the others a Bark phone, so that both are sent to by one process.
function measureBark(name, { phones, rounds }) {
  return withServers(async (keep) => {
    const apns = await keep(startApns())
    const home = await keep(prepareHome({ accounts: 2 * phones, databaseUrl: await databaseFor(name, keep) }))
    const {
      HELIOGRAPH_APNS_KEY_FILE: key,
      HELIOGRAPH_APNS_KEY_ID: id,
      HELIOGRAPH_APNS_TEAM_ID: team,
    } = apns.environment
    const bark = { HELIOGRAPH_BARK_KEY_FILE: key, HELIOGRAPH_BARK_KEY_ID: id, HELIOGRAPH_BARK_TEAM_ID: team }
    Object.assign(home.environment, apns.environment, bark)
    await addPhones(home, phones)
    const server = await keep(startHeliograph(name, home))
    const pool = await keep(openPool(server))
    const groups = [home.keys.slice(0, phones), home.keys.slice(phones)]
    // The warm-up is a round, too: what is sent is counted by phones, not by seconds.
    const results = await inRounds(groups, { rounds, seconds: 0 }, (keys) => sendToAll(pool, apns, keys))
    const [, ratio] = ratiosToFirst(results)
    const rates = results.map((group) => Math.round(median(group.map(({ perSecond }) => perSecond))))
    return [
      {
        what: `a send to each of ${phones.toLocaleString('en')} Bark phones, until APNs has all, ${name}`,
        value: ratio,
        unit: 'of an own app',
        atLeast: 0.9,
        note: `${rates[1]} pushes/s; an app of one's own ${rates[0]}`,
      },
    ]
  })
}

async function addPhones(home, phones) {
  const { ctx, stop } = await openContext(loadConfig({ logLevel: 'silent' }, home.environment, 'no-such-file.json'))
  const add = async (index) => {
    const caller = await authenticate(ctx, readCredentials(home.tokens[index]))
    const token = randomBytes(32).toString('hex')
    if (index < phones) {
      const apns = { device_token: token, environment: 'production' }
      return registerDevice(ctx, caller, 'phone', { name: 'Phone', platform: 'ios', apns })
    }
    const { code } = await addBarkDevice(ctx, caller, { kind: 'bark', name: 'iPhone' })
    return registerBarkPhone(ctx, { code, token, key: '', from: '127.0.0.1' })
  }
  try {
    await atOnce(2 * phones, add)
  } finally {
    await stop()
  }
}

async function sendToAll(pool, apns, keys) {
  await apns.ask('record')
  const startMs = nowMs()
  await atOnce(keys.length, (index) => send(pool, keys[index]))
  while ((await apns.ask('received')) < keys.length) {
    if (nowMs() - startMs > GIVEN_UP_MS) throw new Error('pushes are missing at APNs')
    await pause(APART_MS)
  }
  return { perSecond: (1000 * keys.length) / (nowMs() - startMs) }
}

function measureEndpoints(name, { phones, rounds, seconds }) {
  return withServers(async (keep) => {
    const accounts = Math.ceil(phones / ENDPOINTS_EACH)
    const postgres = name === 'PostgreSQL' ? await keep(startPostgres()) : undefined
    const home = await keep(prepareHome({ accounts: accounts + 1, databaseUrl: postgres?.url }))
    home.environment.HELIOGRAPH_UNIFIEDPUSH = 'on'
    const server = await keep(startHeliograph(name, home))
    const pool = await keep(openPool(server))
    const apps = []
    for (const token of home.tokens.slice(0, accounts)) {
      const count = Math.min(ENDPOINTS_EACH, phones - apps.length * ENDPOINTS_EACH)
      apps.push(await addEndpoints(pool, token, count))
    }
    const names = apps.flatMap((app) => app.names)
    const key = home.keys[accounts]
    const accepted = new Set()
    let busy = 0
    const [quiet, loaded] = await inRounds(
      [false, true],
      { rounds, seconds, warmUpSeconds: 1 },
      async (isLoaded, forSeconds) => {
        const [beforeMs, startMs] = [cpuOf(server, postgres), nowMs()]
        const load = isLoaded ? postAtRate(pool, names, forSeconds + CONNECTING_SECONDS, accepted) : 0
        await pause(1000 * CONNECTING_SECONDS)
        const delays = delaysOf(() => send(pool, key), forSeconds)
        const controls = delaysOf(() => ask(pool, 'GET', '/health', {}), forSeconds)
        // All end before an error closes the connections.
        await Promise.allSettled([delays, controls, load])
        busy += await load
        const cores = cpuOf(server, postgres).map((ms, index) => (ms - beforeMs[index]) / (nowMs() - startMs))
        return { p99Ms: percentile(await delays, 99), controlMs: percentile(await controls, 99), cores }
      },
    )
    const received = new Set((await Promise.all(apps.map((app) => poll(pool, app)))).flat())
    const compare = (name) => ({
      value: median(loaded.map((row, round) => row[name] / quiet[round][name])),
      unit: 'of that without',
      times: [loaded, quiet].map((rows) => `${median(rows.map((row) => row[name])).toFixed(1)} ms`).join('; without '),
    })
    const { times, ...sends } = compare('p99Ms')
    const { times: controlTimes, ...control } = compare('controlMs')
    const count = `${names.length.toLocaleString('en')} endpoints, ${POSTS_PER_SECOND} messages/s`
    return [
      {
        what: `${count}: lost, ${name}`,
        value: [...accepted].filter((text) => !received.has(text)).length,
        unit: 'messages',
        atMost: 0,
        note: `${accepted.size} accepted, ${busy} refused as too many at once`,
      },
      {
        what: `${count}: p99 of another account's sends, ${name}`,
        ...sends,
        atMost: 1.2,
        note: `${times}; cores in use ${coresOf(loaded)}, without ${coresOf(quiet)}`,
      },
      { what: `${count}: p99 of GET /health, which needs no database, ${name}`, ...control, note: controlTimes },
    ]
  })
}

// Of the node, and of PostgreSQL.
const cpuOf = (server, postgres) => [cpuMs(server.pid), ...(postgres ? [cpuMsOfFamily(postgres.pid)] : [])]

const coresOf = ([{ cores }]) => cores.map((one) => one.toFixed(2)).join(' and ')

// Endpoints of one phone, which asks for their names and then is away.
async function addEndpoints(pool, token, count) {
  const body = JSON.stringify({ kind: 'ntfy', name: 'Pixel' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const added = await ask(pool, 'POST', '/devices/apps', { headers, body })
  const names = Array.from({ length: count }, () => `up${randomBytes(6).toString('hex')}`)
  const app = { names, authorization: `Basic ${btoa(`bench:${JSON.parse(added.text).password}`)}` }
  await poll(pool, app)
  return app
}

async function poll(pool, { names, authorization }) {
  const { text } = await ask(pool, 'GET', `/ntfy/${names.join(',')}/json?poll=1&since=all`, {
    headers: { authorization },
  })
  return text.split('\n').flatMap((line) => (line ? [JSON.parse(line).message] : []))
}

// Without waiting for answers. Adds what was accepted; returns how many were refused because too many were under way.
async function postAtRate(pool, names, seconds, accepted) {
  const count = POSTS_PER_SECOND * seconds
  const startMs = nowMs()
  const posts = []
  let refused = 0
  const post = async (index) => {
    const body = randomBytes(24).toString('hex')
    const { status } = await ask(pool, 'POST', `/ntfy/${names[index % names.length]}`, {
      headers: { ttl: '86400' },
      body,
    })
    if (status === 201) accepted.add(body)
    else if (status === 429) refused += 1
    else throw new Error(`a message was answered ${status}`)
  }
  while (posts.length < count) {
    const due = Math.min(Math.ceil(((nowMs() - startMs) * POSTS_PER_SECOND) / 1000), count)
    while (posts.length < due) posts.push(post(posts.length))
    await pause(1)
  }
  await Promise.all(posts)
  return refused
}

async function delaysOf(request, seconds) {
  const delaysMs = []
  for (const endMs = nowMs() + 1000 * seconds; nowMs() < endMs; await pause(APART_MS)) {
    const startMs = nowMs()
    await request()
    delaysMs.push(nowMs() - startMs)
  }
  return delaysMs
}

async function send(pool, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const { status } = await ask(pool, 'POST', '/notifications', { headers, body: JSON.stringify(MESSAGE) })
  if (status !== 201) throw new Error(`a send was answered ${status}`)
}

async function ask(pool, method, path, { headers, body }) {
  const answer = await pool.request({ method, path, headers, body })
  return { status: answer.statusCode, text: await answer.body.text() }
}

// As many as there are, so that a send does not wait for a connection.
function openPool({ url }) {
  const pool = new Pool(url)
  return { request: (request) => pool.request(request), stop: () => pool.close() }
}

async function atOnce(count, work) {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
