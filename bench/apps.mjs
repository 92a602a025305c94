// Apps of other services that are connected to one process, in equal parts over /json, /sse and WebSockets: how much each
// adds to the resident memory, and how long a send takes to reach all apps of its account. Goals: under 30 KB each, and
// p99 under 100 ms on an idle machine. The second half is also reported alone: while the first apps connect, V8 enlarges its
// young generation by up to 48 MB, whatever their number.
//   npm run bench -- --only apps --apps 5000
import { once } from 'node:events'
import { connect } from 'node:net'
import { LIMITS } from '../src/contract/limits.ts'
import { MESSAGE } from './examples.mjs'
import { countOpenStreams, prepareHome } from './homes.mjs'
import { shoot } from './load.mjs'
import { nowMs, pause, percentile, residentKb } from './measure.mjs'
import { startHeliograph, withServers } from './servers.mjs'

const APPS_EACH = LIMITS.device.maxPerAccount.paid
const SETTLE_MS = 4000
const OPENED_WITHIN_MS = 60_000
const SENDS = 200
const JSON_TYPE = { 'content-type': 'application/json' }
const SEND = { method: 'POST', path: '/notifications', type: 'application/json', body: JSON.stringify(MESSAGE) }

export function measureApps({ apps, seconds, connections }) {
  return withServers(async (keep) => {
    const accounts = Math.ceil(apps / APPS_EACH)
    const home = await keep(prepareHome({ accounts }))
    const server = await keep(startHeliograph('SQLite', home))
    await shoot(server, SEND, { duration: seconds, connections })
    const passwords = await addApps(server, home.tokens, apps)
    await pause(SETTLE_MS)
    const withoutKb = residentKb(server.pid)
    const open = await keep(createApps())
    const connect = async (count) => {
      await openApps(server, passwords.slice(0, count), open.apps)
      await untilConnected(home, count)
      return residentKb(server.pid)
    }
    const half = Math.ceil(apps / 2)
    const withHalfKb = await connect(half)
    const withAllKb = await connect(apps)
    const secondHalf = ((withAllKb - withHalfKb) / (apps - half)).toFixed(1)
    const delaysMs = await measureDelays(server, home.keys, open)
    const count = apps.toLocaleString('en')
    const [middle, longest] = [50, 100].map((percent) => percentile(delaysMs, percent).toFixed(1))
    return [
      {
        what: `${count} connected apps, each, SQLite`,
        value: (withAllKb - withoutKb) / apps,
        unit: 'KB',
        atMost: 30,
        note: `${inMb(withoutKb)} without, ${inMb(withAllKb)} with them; the second half ${secondHalf} KB each`,
      },
      {
        what: `POST until ${Math.min(APPS_EACH, apps)} apps of the account have it, p99, SQLite`,
        value: percentile(delaysMs, 99),
        unit: 'ms',
        atMost: 100,
        note: `one send at a time, ${count} apps connected; median ${middle} ms, longest ${longest} ms`,
      },
    ]
  })
}

const inMb = (kb) => `${Math.round(kb / 1024)} MB`

async function untilConnected(home, count) {
  const endMs = nowMs() + OPENED_WITHIN_MS
  while (countOpenStreams(home) < count && nowMs() < endMs) await pause(200)
  await pause(SETTLE_MS)
  if (countOpenStreams(home) !== count) throw new Error(`${countOpenStreams(home)} of ${count} apps are connected`)
}

// The passwords of the apps, those of one account after the other.
export async function addApps({ url }, tokens, count, each = APPS_EACH) {
  const passwords = []
  for (const token of tokens) {
    const wanted = Math.min(each, count - passwords.length)
    const added = await Promise.all(Array.from({ length: wanted }, () => addApp(url, token)))
    passwords.push(...added)
  }
  return passwords
}

async function addApp(url, token) {
  const answer = await fetch(`${url}/devices/apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
    body: JSON.stringify({ kind: 'ntfy', name: 'App' }),
  })
  const { password, code } = await answer.json()
  if (!password) throw new Error(`an app was refused: ${code}`)
  return password
}

const UPGRADE = ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']
const FORMATS = [
  { path: 'json', headers: [] },
  { path: 'sse', headers: [] },
  { path: 'ws', headers: [...UPGRADE, `sec-websocket-key: ${btoa('0123456789abcdef')}`] },
]
// All come from one address, of which more open requests would count as attempts to guess a password.
const OPENED_AT_ONCE = 10

export function createApps() {
  const apps = []
  return {
    apps,
    stop() {
      for (const { socket } of apps) socket.destroy()
    },
  }
}

// Adds an app for each password that has none yet. Bare sockets: a client library would use more memory than the server does.
export async function openApps({ url }, passwords, apps) {
  const { hostname, port } = new URL(url)
  const open = async (password, index) => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const { path, headers } = FORMATS[index % FORMATS.length]
    const head = [
      `GET /ntfy/inbox/${path} HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: Basic ${btoa(`bench:${password}`)}`,
      ...headers,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const app = { socket, wanted: undefined, received: () => {} }
    socket.on('data', (data) => {
      if (app.wanted && data.includes(app.wanted)) app.received()
    })
    apps[index] = app
    await once(socket, 'data')
  }
  for (let start = apps.length; start < passwords.length; start += OPENED_AT_ONCE) {
    const some = passwords.slice(start, start + OPENED_AT_ONCE)
    await Promise.all(some.map((password, index) => open(password, start + index)))
  }
}

// One send at a time, to one account after the other.
async function measureDelays(server, keys, { apps }) {
  const delaysMs = []
  for (let send = 0; send < SENDS; send++) {
    const account = send % keys.length
    const own = apps.slice(account * APPS_EACH, (account + 1) * APPS_EACH)
    const title = `send ${send} of the benchmark`
    const startMs = nowMs()
    const arrivals = own.map(
      (app) =>
        new Promise((resolve) => Object.assign(app, { wanted: title, received: () => resolve(nowMs() - startMs) })),
    )
    const sent = fetch(`${server.url}/notifications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[account]}`, ...JSON_TYPE },
      body: JSON.stringify({ ...MESSAGE, title }),
    })
    delaysMs.push(Math.max(...(await Promise.all(arrivals))))
    await (await sent).text()
  }
  return delaysMs
}
