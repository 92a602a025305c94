// R31, R32: the callback to a sender's server when an alert ends, its retries and its signature.
import { createHash, createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import {
  type CallbackSink,
  type ReceivedCallback,
  type SinkAnswer,
  startCallbackSink,
} from '../../support/fakes/callback-sink.ts'
import { createTestClock } from '../../support/fakes/test-clock.ts'

const clock = createTestClock()
const ALLOW = { HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.0/8' }
let app: TestApp
let sink: CallbackSink
let user: TestUser
let key: string
let keyId: string
beforeAll(async () => {
  sink = await startCallbackSink(clock.now)
  app = await startTestApp(ALLOW, undefined, { clock, ca: sink.ca })
})
afterAll(async () => {
  await sink.close()
  await app.stop()
})
beforeEach(async () => {
  user = await app.addUser()
  const created = (await app.post('/integrations/keys', { name: 'K' }, user.token)).body
  key = created.key
  keyId = created.id
})

const alert = { title: 'Fire', body: 'in the server room', acknowledge: { expire_seconds: 60 }, tags: ['fire'] }

async function sendTo({ url }: { url: string }, token = key): Promise<number> {
  const { status, body } = await app.post('/notifications', { ...alert, callback_url: url }, token)
  expect(status).toBe(201)
  return body.id
}

const press = (id: number, { token } = user) => app.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, token)
const receiptOf = async (id: number) => (await app.get(`/notifications/receipts/${id}`, user.token)).body
const attempts = async (id: number): Promise<string[]> => {
  const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
  return items
    .filter(({ event }: { event: string }) => event === 'callback_attempt')
    .map((entry: { detail: string }) => entry.detail)
}

async function pass(seconds: number) {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

// The library checks the timestamp against the real time, and the headers have the test's.
function verify(secretOf: string, { headers, body }: ReceivedCallback): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 })
  try {
    new Webhook(whsec(secretOf)).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

const secret = (ofKey: string) =>
  createHmac('sha256', createHash('sha256').update(ofKey).digest()).update('pushward/callback/v1').digest()
const whsec = (ofKey: string) => `whsec_${secret(ofKey).toString('base64')}`

// An independent implementation of the signature.
function signatureOf(ofKey: string, { headers, body }: ReceivedCallback): string {
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  return `v1,${createHmac('sha256', secret(ofKey)).update(signed).digest('base64')}`
}

describe('a callback', () => {
  test('reports that the alert was acknowledged, and by whom, and is signed', async () => {
    const receiver = sink.receiver()
    const id = await sendTo(receiver)
    await pass(5)
    await press(id)
    await app.runDueJobs()
    expect(receiver.received).toHaveLength(1)
    const [callback] = receiver.received as [ReceivedCallback]
    expect(callback.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `pwr_${id}` })
    expect(callback.headers['webhook-timestamp']).toBe(String(Math.floor(clock.now() / 1000)))
    const acknowledged_at = new Date(clock.now()).toISOString()
    expect(JSON.parse(callback.body)).toEqual({
      type: 'notification.acknowledged',
      timestamp: acknowledged_at,
      data: {
        ...(await receiptOf(id)),
        acknowledged_at,
        acknowledged_by: user.userId,
        callback: { status: 'pending', attempts: 1 },
      },
    })
    verify(key, callback)
    expect(callback.headers['webhook-signature']).toBe(signatureOf(key, callback))
    expect((await receiptOf(id)).callback).toEqual({
      status: 'delivered',
      attempts: 1,
      delivered_at: acknowledged_at,
      last_status_code: 200,
    })
    expect(await attempts(id)).toEqual(['attempt 1 of 7: answered 200'])
  })

  test('reports that the alert expired, and when', async () => {
    const receiver = sink.receiver({ status: 204 })
    const id = await sendTo(receiver)
    await pass(60)
    const { body } = receiver.received[0] as ReceivedCallback
    const timestamp = new Date(clock.now()).toISOString()
    expect(JSON.parse(body)).toMatchObject({ type: 'notification.expired', timestamp, data: { status: 'expired' } })
    expect((await receiptOf(id)).callback).toMatchObject({ status: 'delivered', last_status_code: 204 })
  })

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['canceled', (id) => app.post(`/notifications/receipts/${id}/cancel`, undefined, key)],
    ['canceled by tag', () => app.post('/notifications/receipts/cancel', { tag: 'fire' }, key)],
    ['deleted', (id) => app.del(`/notifications/${id}`, user.token)],
    ['sent by a key that is deleted', () => app.del(`/integrations/keys/${keyId}`, user.token)],
  ])('is not sent for an alert that is %s, and the receipt has none', async (_what, end) => {
    const receiver = sink.receiver()
    const id = await sendTo(receiver)
    await end(id)
    await pass(7200)
    expect(receiver.received).toEqual([])
    expect(await receiptOf(id)).toMatchObject({ status: 'canceled' })
    expect(await receiptOf(id)).not.toHaveProperty('callback')
  })
})

// When requests arrived, in seconds after the end of the alert.
async function schedule(
  answers: SinkAnswer[],
): Promise<{ seconds: number[]; id: number; received: ReceivedCallback[] }> {
  const receiver = sink.receiver(...answers)
  const id = await sendTo(receiver)
  await press(id)
  const start = clock.now()
  await app.runDueJobs()
  for (let passed = 0; passed < 70 * 60; passed += 20) await pass(20)
  const seconds = receiver.received.map(({ at }) => (at - start) / 1000)
  return { seconds, id, received: receiver.received }
}

const MINUTES = [0, 1, 3, 7, 15, 31, 63]

describe('R31 attempts', () => {
  test.each<[string, SinkAnswer, number | undefined, string]>([
    ['500', { status: 500 }, 500, 'answered 500'],
    ['429 with a Retry-After of hours', { status: 429, headers: { 'retry-after': '9999' } }, 429, 'answered 429'],
    ['404', { status: 404 }, 404, 'answered 404'],
    ['a reset connection', 'break off', undefined, 'connection broke off'],
  ])(
    'are seven, at 0, 1, 3, 7, 15, 31 and 63 minutes, when the receiver answers with %s',
    async (_what, answer, code, detail) => {
      const { seconds, id, received } = await schedule([answer])
      expect(seconds).toEqual(MINUTES.map((minute) => minute * 60))
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(7)
      for (const callback of received) verify(key, callback)
      const { callback } = await receiptOf(id)
      expect(callback).toEqual({ status: 'failed', attempts: 7, ...(code && { last_status_code: code }) })
      expect(await attempts(id)).toEqual(MINUTES.map((_, index) => `attempt ${index + 1} of 7: ${detail}`))
    },
  )

  test('end with the first success', async () => {
    const { seconds, id } = await schedule([{ status: 503 }, 'break off', { status: 202 }])
    expect(seconds).toEqual([0, 60, 180])
    expect((await receiptOf(id)).callback).toMatchObject({ status: 'delivered', attempts: 3, last_status_code: 202 })
  })

  test('that get no answer keep the status of the last one', async () => {
    const { id } = await schedule([{ status: 503 }, 'break off'])
    expect((await receiptOf(id)).callback).toEqual({ status: 'failed', attempts: 7, last_status_code: 503 })
  })

  test('end with 410', async () => {
    const { seconds, id } = await schedule([{ status: 500 }, { status: 410 }])
    expect(seconds).toEqual([0, 60])
    expect((await receiptOf(id)).callback).toEqual({ status: 'failed', attempts: 2, last_status_code: 410 })
  })

  test('do not follow a redirect', async () => {
    const elsewhere = sink.receiver()
    const { seconds } = await schedule([{ status: 301, headers: { location: elsewhere.url } }])
    expect(seconds).toHaveLength(7)
    expect(elsewhere.received).toEqual([])
  })

  test('read 64 KB of an endless answer, and count it as delivered', async () => {
    const receiver = sink.receiver('flood')
    const id = await sendTo(receiver)
    await press(id)
    await app.runDueJobs()
    expect((await receiptOf(id)).callback).toMatchObject({ status: 'delivered', attempts: 1 })
    await eventually(() => expect(sink.open()).toBe(0))
    // The buffers of both sockets come on top.
    expect(sink.floodedBytes()).toBeLessThan(32 * 1024 * 1024)
  })

  test('take at most ten seconds, for a receiver that never answers and one that never finishes', async () => {
    const ids = [await sendTo(sink.receiver('never answer')), await sendTo(sink.receiver('trickle'))]
    for (const id of ids) await press(id)
    await app.runDueJobs()
    for (const id of ids) {
      expect(await attempts(id)).toEqual(['attempt 1 of 7: no answer in time'])
      expect((await receiptOf(id)).callback).toEqual({ status: 'pending', attempts: 1 })
    }
  })
})
