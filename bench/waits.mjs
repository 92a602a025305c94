// Open waits for an answer: how much 1,000 of them, over 250 accounts, add to the resident memory of a server that was
// under load before. Goal: under 20 KB each.
import { once } from 'node:events'
import { connect } from 'node:net'
import { LIMITS } from '../src/contract/limits.ts'
import { MESSAGE } from './examples.mjs'
import { countOpenWaits, prepareHome } from './homes.mjs'
import { shoot } from './load.mjs'
import { median, nowMs, pause, residentKb } from './measure.mjs'
import { startHeliograph, withServers } from './servers.mjs'

const ACCOUNTS = 250
const WAITS = ACCOUNTS * LIMITS.wait.maxOpen
// Long enough for each wait to have polled a few times.
const SETTLE_MS = 4000
const OPENED_WITHIN_MS = 15_000
const QUESTION = JSON.stringify({ ...MESSAGE, push: false, actions: [{ id: 'yes', title: 'Yes' }] })
const SEND = { method: 'POST', path: '/notifications', type: 'application/json', body: QUESTION }

export async function measureWaits(options) {
  const results = []
  for (let round = 0; round < options.rounds; round++) results.push(await measureOnce(options))
  const [beforeKb, afterKb, eachKb] = [0, 1, 2].map((index) => median(results.map((result) => result[index])))
  return [
    {
      what: `${WAITS.toLocaleString('en')} open waits, each, SQLite`,
      value: eachKb,
      unit: 'KB',
      atMost: 20,
      note: `${Math.round(beforeKb / 1024)} MB before, ${Math.round(afterKb / 1024)} MB with them`,
    },
  ]
}

// A new server each time: memory once in use is not returned, and the next waits would seem free.
function measureOnce({ seconds, connections }) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome({ accounts: ACCOUNTS }))
    const server = await keep(startHeliograph('SQLite', home))
    await shoot(server, SEND, { duration: seconds, connections })
    const ids = await Promise.all(home.keys.map((key) => sendQuestion(server, key)))
    await pause(SETTLE_MS)
    const beforeKb = residentKb(server.pid)
    const waits = await keep(openWaits(server, ids))
    const endMs = nowMs() + OPENED_WITHIN_MS
    while (countOpenWaits(home) < WAITS && nowMs() < endMs) await pause(200)
    await pause(SETTLE_MS)
    const afterKb = residentKb(server.pid)
    const open = countOpenWaits(home)
    if (open !== WAITS || waits.answered() > 0) throw new Error(`${open} waits are open, ${waits.answered()} answered`)
    return [beforeKb, afterKb, (afterKb - beforeKb) / WAITS]
  })
}

async function sendQuestion(server, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/notifications`, { method: 'POST', headers, body: QUESTION })
  return (await answer.json()).id
}

// Bare sockets: a client library would use more memory than the server does.
async function openWaits({ url, keys }, ids) {
  const { hostname, port } = new URL(url)
  let answered = 0
  const sockets = await Promise.all(
    Array.from({ length: WAITS }, async (_, index) => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      const account = index % ACCOUNTS
      const path = `/notifications/answers/${ids[account]}?wait=${LIMITS.wait.maxSeconds}`
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${keys[account]}\r\n\r\n`)
      socket.once('data', () => (answered += 1))
      return socket
    }),
  )
  return {
    answered: () => answered,
    stop() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
