// A full inbox: list, unread count and send with 1,000,000 stored notifications compared to 1,000, alternating
// requests. Goal: at most 1.3 times as long.
import { Client } from 'undici'
import { MESSAGE } from './examples.mjs'
import { fillInbox, prepareHome } from './homes.mjs'
import { median, nowMs } from './measure.mjs'
import { startHeliograph, withServers } from './servers.mjs'

const SMALL = 1000
const LARGE = 1_000_000
const WARM_UPS = 200
const TURNS_PER_ROUND = 200

const REQUESTS = [
  { name: 'GET /notifications', method: 'GET', path: '/notifications' },
  { name: 'GET /notifications/unread-count', method: 'GET', path: '/notifications/unread-count' },
  {
    name: 'POST /notifications, push: false',
    method: 'POST',
    path: '/notifications',
    body: JSON.stringify({ ...MESSAGE, push: false }),
  },
]

export async function measureSize({ rounds }) {
  const times = await timeBySize([SMALL, LARGE], rounds)
  return times.map(({ name, ms: [small, large] }) => ({
    what: `${name}, 1,000,000 against 1,000`,
    value: large / small,
    unit: '×',
    atMost: 1.3,
    note: `${small.toFixed(2)} ms and ${large.toFixed(2)} ms`,
  }))
}

// For each request, the median of its times with each number of stored notifications.
export function timeBySize(counts, rounds) {
  return withServers(async (keep) => {
    const clients = []
    for (const count of counts) {
      const home = await keep(prepareHome())
      await fillInbox(home, count)
      const server = await keep(startHeliograph(`${count} notifications`, home))
      clients.push(await keep(openClient(server)))
    }
    const results = []
    for (const request of REQUESTS) {
      for (let turn = 0; turn < WARM_UPS; turn++) await takeTurns(clients, request)
      const times = []
      for (let turn = 0; turn < rounds * TURNS_PER_ROUND; turn++) times.push(await takeTurns(clients, request))
      results.push({ name: request.name, ms: counts.map((_, index) => median(times.map((all) => all[index]))) })
    }
    return results
  })
}

function openClient({ url, keys: [key] }) {
  const client = new Client(url)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    // Milliseconds until the complete answer has arrived.
    async time({ method, path, body }) {
      const startMs = nowMs()
      const answer = await client.request({ method, path, body, headers })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
      return nowMs() - startMs
    },
    stop: () => client.close(),
  }
}

async function takeTurns(clients, request) {
  const times = []
  for (const client of clients) times.push(await client.time(request))
  return times
}
