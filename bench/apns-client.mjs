// A client that pushes, in a separate process: `channel` is ours, `raw` is a minimal loop on node:http2.
// Pushes for the requested time over one connection, and reports the number of pushes and their CPU time.
//   node bench/apns-client.mjs channel|raw URL KEY-FILE
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { openApns } from '../src/push/channels/apns/apns.ts'
import { createProviderToken } from '../src/push/channels/apns/provider-token.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { createLog } from '../src/runtime/log.ts'
import { MESSAGE } from './examples.mjs'

const [way, url, keyFile] = process.argv.slice(2)
const PROVIDER = { key: readFileSync(keyFile, 'utf8'), keyId: 'KEY4567890', teamId: 'TEAM567890' }
const TOPIC = 'org.example.heliograph'
const pushes = Array.from({ length: 1000 }, examplePush)
const push = way === 'channel' ? openChannel() : openRaw()

function examplePush(_, number) {
  const { title, subtitle, body, url: link, source } = MESSAGE
  const aps = { alert: { title, subtitle, body }, 'interruption-level': 'active', sound: 'default', badge: number }
  return {
    environment: 'production',
    token: randomBytes(32).toString('hex'),
    type: 'alert',
    id: randomUUID(),
    priority: 10,
    expiresAt: Date.now() + 86_400_000,
    payload: JSON.stringify({ aps, notification_id: number, url: link, source }),
  }
}

function openChannel() {
  const log = createLog('silent', 'json')
  const channel = openApns({
    ...PROVIDER,
    topic: TOPIC,
    productionUrl: url,
    sandboxUrl: url,
    clock: systemClock,
    log,
  })
  return async (example) => (await channel.push(example)).result === 'accepted'
}

function openRaw() {
  const authorization = createProviderToken(PROVIDER, systemClock).current()
  const session = connect(url, { settings: { enablePush: false } })
  return (example) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': `/3/device/${example.token}`,
        authorization,
        'apns-push-type': example.type,
        'apns-topic': TOPIC,
        'apns-id': example.id,
        'apns-priority': example.priority,
        'apns-expiration': Math.floor(example.expiresAt / 1000),
      })
      let isAccepted = false
      stream.on('response', (headers) => {
        isAccepted = headers[':status'] === 200
        stream.resume()
      })
      stream.on('error', reject)
      stream.on('close', () => resolve(isAccepted))
      stream.end(example.payload)
    })
}

async function pushFor({ seconds, atOnce }) {
  const endMs = performance.now() + seconds * 1000
  const before = process.cpuUsage()
  let count = 0
  const lane = async () => {
    while (performance.now() < endMs) {
      if (!(await push(pushes[count++ % pushes.length]))) throw new Error(`${way}: a push was not accepted`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: count / seconds, cpuMicros: (user + system) / count }
}

process.on('message', async (question) => process.send({ answer: await pushFor(question) }))
process.on('disconnect', () => process.exit())

await push(pushes[0])
console.log(`connected to ${url}`)
