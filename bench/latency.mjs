// From the POST to APNs: how long until the provider has the complete push, at half of the maximum rate of the server.
// Sends at a fixed rate, without waiting for answers. Goal: p99 under 25 ms.
import { Pool } from 'undici'
import { MESSAGE } from './examples.mjs'
import { accountsToPushFor, prepareHome } from './homes.mjs'
import { shoot } from './load.mjs'
import { median, nowMs, pause, percentile } from './measure.mjs'
import { TO_DEVICE } from './notifications.mjs'
import { startApns, startHeliograph, withServers } from './servers.mjs'

const OPEN_AT_MOST = 256
const SETTLE_SECONDS = 0.5

export function measureLatency({ rounds, seconds, connections }) {
  return withServers(async (keep) => {
    const accounts = accountsToPushFor((rounds + 1) * (2 * seconds + SETTLE_SECONDS), connections)
    const apns = await keep(startApns())
    const server = await keep(startHeliograph('SQLite', await keep(prepareHome({ accounts, apns }))))
    await shoot(server, TO_DEVICE, { duration: seconds, connections })
    const results = []
    for (let round = 0; round < rounds; round++) {
      const { perSecond } = await shoot(server, TO_DEVICE, { duration: seconds, connections })
      results.push(await delaysAt(server, apns, perSecond / 2, seconds))
    }
    const middle = (pick) => median(results.map(pick))
    const rate = Math.round(middle((result) => result.perSecond)).toLocaleString('en')
    const others = [50, 100].map((percent) => middle(({ delaysMs }) => percentile(delaysMs, percent)).toFixed(1))
    return [
      {
        what: 'POST until APNs has it, p99, SQLite',
        value: middle(({ delaysMs }) => percentile(delaysMs, 99)),
        unit: 'ms',
        atMost: 25,
        note: `${rate} pushes/s; median ${others[0]} ms, longest ${others[1]} ms`,
      },
    ]
  })
}

async function delaysAt(server, apns, perSecond, seconds) {
  const pool = new Pool(server.url, { connections: OPEN_AT_MOST })
  // Excludes pushes of the load before, and the opening of connections, from the measurement.
  await pause(SETTLE_SECONDS * 1000)
  await sendAtRate(pool, server.keys, perSecond, SETTLE_SECONDS)
  await apns.ask('record')
  const sentAtMs = await sendAtRate(pool, server.keys, perSecond, seconds)
  await pool.close()
  const arrivals = (await apns.ask('arrivals')).filter(({ title }) => sentAtMs.has(title))
  if (arrivals.length !== sentAtMs.size) throw new Error(`${sentAtMs.size} sent, ${arrivals.length} arrived`)
  return { perSecond, delaysMs: arrivals.map(({ atMs, title }) => atMs - sentAtMs.get(title)) }
}

// The send time of each notification, by its title. Waiting for a free connection counts as delay.
async function sendAtRate(pool, keys, perSecond, seconds) {
  const count = Math.round(perSecond * seconds)
  const sentAtMs = new Map()
  const answers = []
  const startMs = nowMs()
  while (answers.length < count) {
    const due = Math.min(Math.ceil(((nowMs() - startMs) * perSecond) / 1000), count)
    while (answers.length < due) {
      const title = `Delivery ${answers.length}`
      sentAtMs.set(title, nowMs())
      answers.push(send(pool, keys[answers.length % keys.length], title))
    }
    await pause(1)
  }
  await Promise.all(answers)
  return sentAtMs
}

async function send(pool, key, title) {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/notifications',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...MESSAGE, title }),
  })
  const text = await body.text()
  if (statusCode !== 201 || !text.includes(TO_DEVICE.expected)) throw new Error(`${statusCode}: ${text}`)
}
