// The load of a soak: a steady mix of requests, and open waits for an answer, until it is told to end.
import { pause } from '../measure.mjs'

const WAIT_SECONDS = 5
const JSON_TYPE = { 'content-type': 'application/json' }

const MIX = [
  (n) => ['POST', '/notifications', { title: `Build ${n} passed`, body: 'All 1,208 checks passed.' }],
  (n) => ['PATCH', '/activities/build?upsert=true', { state: 'ongoing', content: { state: `Step ${n}` } }],
  (n) => ['POST', '/widgets', { slug: 'load', name: 'Load', content: { template: 'value', value: n } }],
  () => ['GET', '/notifications?limit=20'],
  () => ['GET', '/widgets/load'],
]

// A request that finds no free place is left out: a server that is slow for a moment is not asked for more.
export function startLoad(server, { perSecond, waits, atMost = 64 }) {
  const counts = { answered: 0, refused: new Map(), failed: 0 }
  let over = false
  let open = 0

  async function send(n, [method, path, body]) {
    const key = server.keys[Math.floor(n / MIX.length) % server.keys.length]
    open += 1
    try {
      const answer = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && JSON_TYPE) },
        body: body && JSON.stringify(body),
      })
      await answer.arrayBuffer()
      if (answer.ok) counts.answered += 1
      // The first GET of a widget may come before its first POST.
      else if (answer.status !== 404) counts.refused.set(answer.status, (counts.refused.get(answer.status) ?? 0) + 1)
    } catch {
      counts.failed += 1
    } finally {
      open -= 1
    }
  }

  async function sendSteadily() {
    const startMs = performance.now()
    for (let n = 0; !over; n++) {
      await pause(Math.max(0, startMs + (n * 1000) / perSecond - performance.now()))
      if (open < atMost) void send(n, MIX[n % MIX.length](n))
    }
    while (open > 0) await pause(50)
  }

  async function waitAgainAndAgain(key) {
    const headers = { authorization: `Bearer ${key}`, ...JSON_TYPE }
    const body = JSON.stringify({ title: 'Deploy?', body: 'B', push: false, actions: [{ id: 'yes', title: 'Yes' }] })
    const sent = await fetch(`${server.url}/notifications`, { method: 'POST', headers, body })
    const { id } = await sent.json()
    while (!over) {
      const answer = await fetch(`${server.url}/notifications/answers/${id}?wait=${WAIT_SECONDS}`, { headers })
      await answer.arrayBuffer()
    }
  }

  const running = [sendSteadily(), ...server.keys.slice(0, waits).map(waitAgainAndAgain)]
  return {
    counts,
    async end() {
      over = true
      await Promise.all(running)
    },
  }
}
