// iPhones: the ntfy app for iOS has no connection, so this server asks another one of ntfy to wake it.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../../support/app.ts'
import { type AppDevice, addApp, appHeaders, openNtfy, pollNtfy } from '../../../support/devices/app-streams.ts'
import { eventually } from '../../../support/eventually.ts'
import { selfSigned } from '../../../support/fakes/self-signed.ts'
import { setUsed } from '../../../support/usage.ts'

type Received = { path: string; headers: IncomingHttpHeaders }
const received: Received[] = []
const { key, cert } = selfSigned()
const upstream = createServer({ key, cert }, (request, response) => {
  received.push({ path: request.url ?? '', headers: request.headers })
  response.end('{}')
})
let app: TestApp
let user: TestUser
let phone: AppDevice
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  const environment = {
    HELIOGRAPH_NTFY_UPSTREAM: `https://127.0.0.1:${port}/`,
    HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.0/8',
  }
  app = await startTestApp(environment, undefined, { ca: cert })
})
afterAll(async () => {
  await app.stop()
  upstream.closeAllConnections()
  upstream.close()
})
beforeEach(async () => {
  received.length = 0
  user = await app.addUser()
  phone = await addApp(app, user)
})

// As the app does when a topic is added.
const addTopic = (topic: string) => fetch(`${app.url}/ntfy/${topic}/auth`, { headers: appHeaders(phone) })

async function send(message: object = {}) {
  await app.post('/notifications', { title: 'T', body: 'B', ...message }, user.token)
  await app.runDueJobs()
}

const hashOf = (topic: string) => createHash('sha256').update(`${app.url}/ntfy/${topic}`).digest('hex')

test('the other server learns the hash of the address of the topic and an id, by which the phone gets one document', async () => {
  await addTopic('inbox')
  await send()
  expect(received.map(({ path }) => path)).toEqual([`/${hashOf('inbox')}`])
  const id = received[0]?.headers['x-poll-id']
  expect(id).toMatch(/^[0-9A-Za-z]{12}$/)
  expect(JSON.stringify(received[0]?.headers)).not.toContain(user.name)
  expect(await pollNtfy(app, phone, `inbox/json?poll=1&id=${id}`)).toEqual([expect.objectContaining({ title: 'T' })])
})

test('every repeat of an alert wakes it again, and it gets the newest', async () => {
  await addTopic('inbox')
  await send({ acknowledge: { repeat_seconds: 30 } })
  app.advanceSeconds(30)
  for (let i = 0; i < 3; i++) await app.runDueJobs()
  expect(received).toHaveLength(2)
  const lines = await pollNtfy(app, phone, `inbox/json?poll=1&id=${received[1]?.headers['x-poll-id']}`)
  expect(lines).toHaveLength(1)
})

test('only the topic that has the message, and none for a topic that the phone has not', async () => {
  for (const topic of ['ci', 'backup']) await addTopic(topic)
  await send({ source: 'ci' })
  await send({ source: 'other' })
  expect(received.map(({ path }) => path)).toEqual([`/${hashOf('ci')}`])
})

test('not while the app is connected', async () => {
  await addTopic('inbox')
  const stream = await openNtfy(app, phone, 'inbox/json')
  await send()
  await eventually(() => expect(stream.messages()).toHaveLength(1))
  stream.close()
  expect(received).toEqual([])
})

test('at most 200 a day for an account', async () => {
  await addTopic('inbox')
  await setUsed(app, user, 'poll_requests', 199)
  await send()
  await send()
  expect(received).toHaveLength(1)
})
