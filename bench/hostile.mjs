// One hostile client or account against all others: how long the event loop is blocked, and how much memory the process
// takes, while 20 connections repeat the most expensive known requests. Default settings. Goal: no turn of the event
// loop over 50 ms.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'undici'
import { prepareHome } from './homes.mjs'
import { addEncryptedPhone, doorAttacks } from './hostile-doors.mjs'
import { hookAttacks } from './hostile-hooks.mjs'
import { nowMs, pause, percentile, residentKb } from './measure.mjs'
import { startApns, startHeliograph, startPostgres, withServers } from './servers.mjs'

const CONNECTIONS = 20
const SETTLE_MS = 1000
const JSON_TYPE = 'content-type: application/json'
const LARGE_ENTRIES = 1500

export async function measureHostile({ seconds, attack, database }) {
  const databases = ['SQLite', 'PostgreSQL'].filter((name) => name.includes(database))
  const rows = []
  for (const name of databases) rows.push(...(await measureOn(name, seconds, attack)))
  return rows
}

function measureOn(database, seconds, attack) {
  return withServers(async (keep) => {
    const databaseUrl = database === 'PostgreSQL' ? (await keep(startPostgres())).url : undefined
    const home = await keep(prepareHome({ accounts: 2, databaseUrl }))
    const { HELIOGRAPH_RATE_LIMIT_PER_MINUTE: _off, ...environment } = home.environment
    const { environment: apns } = await keep(startApns())
    const bark = {
      HELIOGRAPH_BARK_KEY_FILE: apns.HELIOGRAPH_APNS_KEY_FILE,
      HELIOGRAPH_BARK_KEY_ID: apns.HELIOGRAPH_APNS_KEY_ID,
      HELIOGRAPH_BARK_TEAM_ID: apns.HELIOGRAPH_APNS_TEAM_ID,
    }
    const monitor = new URL('./loop-monitor.mjs', import.meta.url).href
    const server = await keep(
      startHeliograph(database, {
        ...home,
        environment: {
          ...environment,
          ...apns,
          ...bark,
          HELIOGRAPH_UNIFIEDPUSH: 'on',
          HELIOGRAPH_PLANS: '{"paid":{"notifications":"unlimited"}}',
          NODE_OPTIONS: `--import=${monitor}`,
        },
      }),
    )
    const attackers = await keep(startAttackers())
    const [key] = server.keys
    await fillWithLargeEntries(server, key)
    await addEncryptedPhone(server.url, home.tokens[0])
    const rows = []
    const all = [...attacks(key, home.tokens[0]), ...(await hookAttacks(server.url, key)), ...doorAttacks(key)]
    const chosen = all.filter(({ name }) => name.includes(attack))
    for (const [network, { name, requests, reads }] of chosen.entries()) {
      await server.ask('longest stall')
      const victim = watchAsVictim(server)
      const memory = watchMemory(server)
      const answers = await attackers.ask({
        url: server.url,
        connections: CONNECTIONS,
        network,
        seconds,
        reads,
        requests,
      })
      const { longestMs, p99Ms } = await victim.stop()
      const peakMb = memory.stop()
      const stall = await server.ask('longest stall')
      rows.push({
        what: `${name}, ${database}`,
        value: stall.longestMs,
        unit: 'ms',
        atMost: 50,
        note: `${stall.cpuMs.toFixed(0)} ms of CPU; victim p99 ${p99Ms.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms; ${peakMb} MB; ${inWords(answers)}`,
      })
      await pause(SETTLE_MS)
    }
    return rows
  })
}

const inWords = ({ count, bytes, statuses }) =>
  `${count} answers (${Object.keys(statuses).join(', ') || 'none read'}), ${Math.round(bytes / Math.max(count, 1) / 1024)} KB each`

function attacks(key, token) {
  const post = (path, token = key) =>
    `POST ${path} HTTP/1.1\r\n${JSON_TYPE}${token ? `\r\nauthorization: Bearer ${token}` : ''}`
  const get = (path) => ({ head: `GET ${path} HTTP/1.1\r\nauthorization: Bearer ${key}` })
  const patch = (path) => post(path).replace('POST', 'PATCH')
  const many = (count, entry) => Array.from({ length: count }, (_, n) => entry(n)).join(',')
  const message = '"title":"t","body":"b"'
  return [
    {
      name: '95,000 unknown members, no token',
      requests: [{ head: post('/answers/x', ''), body: `{${many(95_000, (n) => `"k${n}":1`)}}` }],
    },
    {
      name: '115,000 NUL characters, no token',
      requests: [{ head: post('/answers/x', ''), body: `{"a":[${many(115_000, () => '"\\u0000"')}]}` }],
    },
    {
      name: '500,000 ids',
      requests: [{ head: post('/notifications/read', token), body: `{"ids":[${many(500_000, () => '0')}]}` }],
    },
    {
      name: '120,000 actions',
      requests: [{ head: post('/notifications'), body: `{${message},"actions":[${many(110_000, () => '{"i":1}')}]}` }],
    },
    {
      name: '120,000 rows of a widget',
      requests: [
        {
          head: post('/widgets'),
          body: `{"slug":"w","name":"w","content":{"template":"stat_list","stat_rows":[${many(120_000, () => '{"a":1}')}]}}`,
        },
      ],
    },
    {
      name: '95,000 members of an activity',
      requests: [
        {
          head: patch('/activities/a?upsert=true'),
          body: `{"state":"ongoing","content":{${many(95_000, (n) => `"k${n}":1`)}}}`,
        },
      ],
    },
    {
      name: 'one string of 1 MB in an activity',
      requests: [
        {
          head: patch('/activities/b?upsert=true'),
          body: `{"state":"ongoing","content":{"x":"${'y'.repeat(1_000_000)}"}}`,
        },
      ],
    },
    {
      name: 'patches of one activity of 1,900 members',
      requests: [
        {
          head: patch('/activities/c?upsert=true'),
          body: `{"state":"ongoing","content":{"template":"generic",${many(1900, (n) => `"k${n}":"${'x'.repeat(25)}"`)}}}`,
        },
      ],
    },
    {
      name: 'event streams from the beginning, not read',
      reads: false,
      requests: [{ head: `GET /events HTTP/1.1\r\nlast-event-id: 0\r\nauthorization: Bearer ${token}` }],
    },
    { name: 'page of large entries', requests: [get('/notifications?limit=100')] },
    { name: 'page of large entries, not read', reads: false, requests: [get('/notifications?limit=100')] },
    { name: 'search without a match', requests: [get('/notifications?q=zzz')] },
    {
      name: 'each large entry',
      requests: Array.from({ length: LARGE_ENTRIES }, (_, n) => get(`/notifications/${n + 1}`)),
    },
    {
      name: 'everything read',
      requests: [{ head: post('/notifications/read', token), body: '{"all":true}' }],
    },
    { name: 'the API description', requests: [get('/openapi.json')] },
  ]
}

// About 60 KB each: actions of the maximum length, in characters of three bytes.
async function fillWithLargeEntries({ url }, key) {
  const action = (n) => ({
    id: `a${n}`,
    title: 'Act',
    url: `https://example.org/${'u'.repeat(2000)}`,
    method: 'POST',
    body: '€'.repeat(1024),
  })
  const actions = Array.from({ length: 10 }, (_, n) => action(n))
  const body = JSON.stringify({ title: 'Large', body: '€'.repeat(4096), push: false, actions })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (let stored = 0; stored < LARGE_ENTRIES; ) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => postFrom(url, `127.0.2.${1 + ((stored + index) % 250)}`, headers, body)),
    )
    if (answers.some((status) => status !== 201))
      throw new Error(`filling the inbox was answered ${answers.join(', ')}`)
    stored += answers.length
  }
}

async function postFrom(url, localAddress, headers, body) {
  const client = new Client(url, { localAddress })
  const answer = await client.request({ method: 'POST', path: '/notifications', headers, body })
  await answer.body.dump()
  await client.close()
  return answer.statusCode
}

// A client of another account: sends a small request every few milliseconds and measures its answer.
function watchAsVictim({ url, keys: [, key] }) {
  const clients = Array.from({ length: 40 }, (_, n) => new Client(url, { localAddress: `127.0.3.${n + 1}` }))
  const timesMs = []
  let isOver = false
  const watching = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const startMs = nowMs()
      const answer = await clients[turn % clients.length].request({
        method: 'GET',
        path: '/notifications/unread-count',
        headers: { authorization: `Bearer ${key}` },
      })
      await answer.body.dump()
      if (answer.statusCode === 200) timesMs.push(nowMs() - startMs)
      await pause(15)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      await Promise.all(clients.map((client) => client.close()))
      return { longestMs: Math.max(...timesMs), p99Ms: percentile(timesMs, 99) }
    },
  }
}

function watchMemory({ pid }) {
  let peakKb = 0
  const timer = setInterval(() => (peakKb = Math.max(peakKb, residentKb(pid))), 50)
  return {
    stop() {
      clearInterval(timer)
      return Math.round(peakKb / 1024)
    },
  }
}

async function startAttackers() {
  const child = fork(fileURLToPath(new URL('./hostile-client.mjs', import.meta.url)))
  await once(child, 'message')
  return {
    async ask(attack) {
      child.send(attack)
      const [{ answer }] = await once(child, 'message')
      return answer
    },
    stop: () => child.kill(),
  }
}
