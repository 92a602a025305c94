// R16, R31, R32, R33: callbacks when a server dies, stops or is busy, when a key is rolled, and with hostile URLs.
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { plusSeconds } from '../../../src/domain/instant.ts'
import { callBack } from '../../../src/operations/receipts/call-back.ts'
import type { Job } from '../../../src/store/jobs.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { claimAnyJobs } from '../../support/database/claim-jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { type CallbackSink, type ReceivedCallback, startCallbackSink } from '../../support/fakes/callback-sink.ts'
import { startListener } from '../../support/fakes/local-servers.ts'
import { createTestClock } from '../../support/fakes/test-clock.ts'
import { HOSTILE_URLS } from '../../support/generated/hostile-urls.ts'

const clock = createTestClock()
const ALLOW = { HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1' }
let sink: CallbackSink
beforeAll(async () => {
  sink = await startCallbackSink(clock.now)
})
afterAll(() => sink.close())

const start = (environment: Record<string, string> = ALLOW) =>
  startTestApp(environment, undefined, { clock, ca: sink.ca })

async function startWithUser(environment?: Record<string, string>) {
  const app = await start(environment)
  onTestFinished(() => app.stop())
  return { app, user: await app.addUser() }
}

const alert = { title: 'Fire', body: 'in the server room', acknowledge: {} }

async function sendTo(app: TestApp, user: TestUser, callback_url: string, key = user.defaultKey): Promise<number> {
  const { status, body } = await app.post('/notifications', { ...alert, callback_url }, key)
  expect(status).toBe(201)
  return body.id
}

const press = (app: TestApp, { token }: TestUser, id: number) =>
  app.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, token)
const callbackOf = async (app: TestApp, { token }: TestUser, id: number) =>
  (await app.get(`/notifications/receipts/${id}`, token)).body.callback

async function claimCallback({ app: { ctx } }: TestApp): Promise<Job<'send-callback'>> {
  const claimed = await ctx.db.transact((tx) => claimAnyJobs(tx, 10, clock.now()))
  return claimed.find(({ kind }) => kind === 'send-callback') as Job<'send-callback'>
}

// Sends the request and reads its answer, but stores neither the outcome nor the end of the job.
const attempt = ({ app: { ctx } }: TestApp, job: Job<'send-callback'>) => callBack(ctx, job)

test('R17 a server whose lease has expired sends nothing', async () => {
  const { app, user } = await startWithUser()
  const receiver = sink.receiver({ status: 500 })
  const id = await sendTo(app, user, receiver.url)
  await press(app, user, id)
  const stale = await claimCallback(app)
  clock.advanceSeconds(15)
  await app.runDueJobs()
  expect(receiver.received).toHaveLength(1)
  await attempt(app, stale)
  expect(receiver.received).toHaveLength(1)
  expect((await callbackOf(app, user, id)).attempts).toBe(1)
})

describe('R31 a server that is killed during an attempt', () => {
  test('neither moves an attempt earlier nor adds one', async () => {
    const { app, user } = await startWithUser()
    const receiver = sink.receiver({ status: 500 })
    const id = await sendTo(app, user, receiver.url)
    await press(app, user, id)
    const begun = clock.now()
    for (const [index, minute] of [0, 1, 3, 7, 15, 31, 63].entries()) {
      clock.set(plusSeconds(begun, minute * 60 - 1))
      await app.runDueJobs()
      expect(receiver.received).toHaveLength(index)
      clock.advanceSeconds(1)
      await attempt(app, await claimCallback(app))
      expect(receiver.received).toHaveLength(index + 1)
    }
    expect(await callbackOf(app, user, id)).toEqual({ status: 'pending', attempts: 7 })
    clock.advanceSeconds(15)
    await app.runDueJobs()
    expect(receiver.received).toHaveLength(7)
    expect(await callbackOf(app, user, id)).toEqual({ status: 'failed', attempts: 7 })
  })
})

test('R31 200 receivers that hang do not delay a callback to another one', async () => {
  // On a busy machine, 200 handshakes take longer than the deadline of a callback.
  const deadlines = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  onTestFinished(() => deadlines.mockRestore())
  const { app } = await startWithUser()
  const hanging = sink.receiver('never answer')
  const good = sink.receiver()
  app.app.worker.start()
  for (let batch = 1; batch <= 8; batch++) {
    const user = await app.addUser()
    const ids = await Promise.all(Array.from({ length: 25 }, () => sendTo(app, user, hanging.url)))
    await Promise.all(ids.map((id) => press(app, user, id)))
    await eventually(() => expect(hanging.received).toHaveLength(batch * 25))
  }
  const user = await app.addUser()
  const id = await sendTo(app, user, good.url)
  await press(app, user, id)
  await eventually(async () => expect((await callbackOf(app, user, id)).status).toBe('delivered'))
  expect(sink.open()).toBe(200)
  sink.breakConnections()
})

test('a server that stops aborts its callbacks, and the next start resumes the schedule', async () => {
  const app = await start()
  const user = await app.addUser()
  const receiver = sink.receiver('never answer', { status: 200 })
  const id = await sendTo(app, user, receiver.url)
  await press(app, user, id)
  app.app.worker.start()
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const { database } = app
  await app.app.stop()

  const again = await startTestApp(ALLOW, database, { clock, ca: sink.ca })
  onTestFinished(async () => {
    await again.stop()
    await database.drop()
  })
  const { items } = (await again.get(`/notifications/${id}/timeline`, user.token)).body
  expect(items.at(-1).detail).toBe('attempt 1 of 7: this server was stopped')
  clock.advanceSeconds(59)
  await again.runDueJobs()
  expect(receiver.received).toHaveLength(1)
  clock.advanceSeconds(1)
  await again.runDueJobs()
  expect(await callbackOf(again, user, id)).toMatchObject({ status: 'delivered', attempts: 2 })
})

describe('R32 a key', () => {
  function signaturesOf({ headers, body }: ReceivedCallback): { given: string[]; by: (key: string) => string } {
    const by = (key: string) => {
      const hash = createHash('sha256').update(key).digest()
      const secret = createHmac('sha256', hash).update('pushward/callback/v1').digest()
      const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
      return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
    }
    return { given: String(headers['webhook-signature']).split(' '), by }
  }

  async function sendAndFailOnce() {
    const { app, user } = await startWithUser()
    const { id: keyId, key } = (await app.post('/integrations/keys', { name: 'K' }, user.token)).body
    const receiver = sink.receiver({ status: 500 }, { status: 200 })
    const id = await sendTo(app, user, receiver.url, key)
    await press(app, user, id)
    await app.runDueJobs()
    const tryAgain = async () => {
      clock.advanceSeconds(60)
      await app.runDueJobs()
      return signaturesOf(receiver.received[1] as ReceivedCallback)
    }
    const first = signaturesOf(receiver.received[0] as ReceivedCallback)
    expect(first.given).toEqual([first.by(key)])
    return { app, user, keyId, key, id, tryAgain }
  }

  test('rolled between two attempts: both secrets sign', async () => {
    const { app, user, keyId, key, tryAgain } = await sendAndFailOnce()
    const rolled = (await app.post(`/integrations/keys/${keyId}/roll`, undefined, user.token)).body.key
    const { given, by } = await tryAgain()
    expect(given).toEqual([by(key), by(rolled)])
  })

  test('deleted between two attempts: the secret it was sent with signs', async () => {
    const { app, user, keyId, key, id, tryAgain } = await sendAndFailOnce()
    await app.del(`/integrations/keys/${keyId}`, user.token)
    const { given, by } = await tryAgain()
    expect(given).toEqual([by(key)])
    expect((await callbackOf(app, user, id)).status).toBe('delivered')
  })
})

describe('R33 a hostile callback_url', () => {
  test('is refused on send in every disguise, without a connection', async () => {
    const { app, user } = await startWithUser({})
    const { port, connections } = await startListener('::')
    const urls = HOSTILE_URLS.map((url) => url.replace('PORT', String(port)))
    for (const callback_url of urls) {
      const refused = await app.post('/notifications', { ...alert, callback_url }, user.defaultKey)
      expectProblem(refused, 400, 'notification.invalid')
      expect(locations(refused), callback_url).toEqual(['body.callback_url'])
    }
    expect(connections()).toBe(0)
  })

  test('whose name resolves to a forbidden address is never connected to, and the address is not disclosed', async () => {
    const { app, user } = await startWithUser({})
    const { port, connections } = await startListener('127.0.0.1')
    const id = await sendTo(app, user, `https://localhost:${port}/`)
    await press(app, user, id)
    await app.runDueJobs()
    const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
    expect(items.at(-1).detail).toBe('attempt 1 of 7: host name leads to an address that is not allowed')
    expect(await callbackOf(app, user, id)).toEqual({ status: 'pending', attempts: 1 })
    expect(connections()).toBe(0)
  })
})
