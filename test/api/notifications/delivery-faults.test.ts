// Push services that are slow, silent, failing or unreachable: the sender waits at most three seconds, nothing is lost,
// and pushes are retried after 1, 5, 30 and 120 seconds.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TestApp, TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { type ApplePhone, addBrowser, addPhone, type Phone } from '../../support/devices/phone.ts'
import { eventually } from '../../support/eventually.ts'
import type { FakeAnswer } from '../../support/fakes/fake-apns.ts'
import { letPass, startPushServices, usePushApp } from '../../support/fakes/push-services.ts'

const SENDER_WAIT_SECONDS = 3

type Entry = { event: string; detail?: string }

async function timeline(server: TestApp, { token }: TestUser, id: number): Promise<string[]> {
  const { items } = (await server.get(`/notifications/${id}/timeline`, token)).body
  return items
    .filter(({ event }: Entry) => !['accepted', 'stored', 'push_sent'].includes(event))
    .map(({ event, detail }: Entry) => (detail ? `${event}: ${detail}` : event))
}

// Sends, waits until `hasArrived`, and then lets exactly the time pass that a sender waits at most.
async function sendAndWait(
  server: TestApp,
  { token }: TestUser,
  hasArrived: () => boolean | Promise<boolean>,
): Promise<Answer> {
  const answer = server.post('/notifications', { title: 'Disk full', body: '2 % left' }, token)
  await eventually(async () => expect(await hasArrived()).toBe(true))
  await letPass(server, SENDER_WAIT_SECONDS)
  return answer
}

function expectStoredOnly({ status, body }: Answer) {
  expect([status, body.delivery, body.reason]).toEqual([201, 'none', 'apns_rejected'])
}

// Runs jobs as they fall due second by second, without waiting for jobs that wait for an answer.
async function work(server: TestApp, seconds: number, isDone: () => Promise<boolean> = async () => false) {
  const runs: Promise<number>[] = []
  for (let second = 0; second < seconds && !(await isDone()); second++) {
    await letPass(server, 1)
    runs.push(server.runDueJobs())
  }
  await Promise.all(runs)
}

async function expectShownOnce(server: TestApp, phone: Phone) {
  await work(server, 60, async () => (await phone.pushes()).length > 0)
  expect((await phone.screen()).banners).toEqual(['Disk full'])
}

describe('APNs', () => {
  const app = usePushApp()
  const tries = (phone: ApplePhone) => app.apns.requests.filter(({ token }) => token === phone.token).length
  let user: TestUser
  beforeEach(async () => {
    user = await app.addUser()
    await letPass(app, 1)
  })

  test.each<[string, FakeAnswer[]]>([
    ['never answers', ['silence']],
    ['freezes the connection', ['freeze']],
    ['resets the connection, twice', ['reset', 'reset']],
    ['refuses every stream', Array(9).fill('refuse')],
    ['cuts off its answers', Array(2).fill({ status: 400, reason: 'BadDeviceToken', isCutOff: true })],
    ['sends GOAWAY with an error and no answer, twice', Array(2).fill({ goaway: 'at', silent: true, code: 2 })],
  ])(
    '%s: 201 within three seconds, the notification is stored, and the push arrives later, once',
    async (_what, answers) => {
      const phone = await addPhone(app, { app, user })
      app.apns.script(phone.token, ...answers)
      const answer = await sendAndWait(app, user, () => tries(phone) > 0)
      expectStoredOnly(answer)
      expect((await app.get(`/notifications/${answer.body.id}`, user.token)).status).toBe(200)
      await expectShownOnce(app, phone)
      const ids = app.apns.requests
        .filter(({ token }) => token === phone.token)
        .map(({ headers }) => headers['apns-id'])
      expect(new Set(ids).size).toBe(1)
      expect((await timeline(app, user, answer.body.id)).at(-1)).toBe('push_accepted')
      expect((await app.get('/devices', user.token)).body.items).toMatchObject([{ channel: 'apns' }])
    },
  )

  test.each<[string, FakeAnswer]>([
    ['sends GOAWAY without having processed the push', { goaway: 'below' }],
    ['sends GOAWAY and answers pushes in flight', { goaway: 'above' }],
    ['refuses one stream', 'refuse'],
    ['resets the connection once', 'reset'],
    ['reports that the connection was idle for too long', { status: 400, reason: 'IdleTimeout' }],
  ])('%s: the push is accepted during the send', async (_what, answer) => {
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, answer)
    const sent = await app.post('/notifications', { title: 'Disk full', body: '2 % left' }, user.token)
    expect(sent.body.delivery).toBe('all')
    expect((await phone.screen()).banners).toEqual(['Disk full'])
  })

  test('one device gets no answer, the other accepts: partial', async () => {
    const [silent, quick] = [await addPhone(app, { app, user }), await addPhone(app, { app, user })]
    // Apple allows one push at a time on a new connection until it has accepted one.
    const warmUp = (await app.post('/notifications', { title: 'Warm-up', body: 'B' }, user.token)).body
    app.apns.script(silent.token, 'silence')
    const isRecorded = async () => {
      const { items } = (await app.get('/devices', user.token)).body
      return items.some((item: Record<string, string>) => item.last_push_at !== warmUp.created_at)
    }
    await letPass(app, 1)
    const { body } = await sendAndWait(app, user, async () => tries(silent) > 1 && (await isRecorded()))
    expect(body).toMatchObject({ delivery: 'partial', reason: 'apns_rejected' })
    expect((await quick.screen()).banners).toEqual(['Warm-up', 'Disk full'])
    expect((await silent.screen()).banners).toEqual(['Warm-up'])
    await eventually(async () => {
      await work(app, 1)
      expect((await silent.screen()).banners).toEqual(['Warm-up', 'Disk full'])
    })
  })

  test('is busy: retried after 1, 5, 30 and 120 seconds, then dropped', async () => {
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, ...Array(9).fill({ status: 429, reason: 'TooManyRequests', retryAfter: '0' }))
    const sent = await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    expectStoredOnly(sent)
    for (const [index, seconds] of [1, 5, 30, 120].entries()) {
      app.advanceSeconds(seconds - 0.001)
      await app.runDueJobs()
      expect(tries(phone)).toBe(index + 1)
      app.advanceSeconds(0.001)
      await app.runDueJobs()
      expect(tries(phone)).toBe(index + 2)
    }
    app.advanceSeconds(86_400)
    await app.runDueJobs()
    expect(tries(phone)).toBe(5)
    const retried = 'retried: TooManyRequests'
    expect(await timeline(app, user, sent.body.id)).toEqual([
      ...Array(4).fill(retried),
      'push_rejected: TooManyRequests',
    ])
  })

  test('has a Retry-After longer than the schedule, which is respected', async () => {
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, { status: 429, reason: 'TooManyRequests', retryAfter: '70' })
    await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    app.advanceSeconds(69)
    await app.runDueJobs()
    expect(await phone.pushes()).toEqual([])
    app.advanceSeconds(1)
    await app.runDueJobs()
    expect(await phone.pushes()).toHaveLength(1)
  })

  test('has a Retry-After beyond the lifetime of a push: dropped', async () => {
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, { status: 429, reason: 'TooManyRequests', retryAfter: '86401' })
    const { body } = await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    expect(await timeline(app, user, body.id)).toEqual(['push_rejected: TooManyRequests'])
  })

  test('never answers: five attempts, then dropped', async () => {
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, ...Array(20).fill('silence'))
    const { body } = await sendAndWait(app, user, () => tries(phone) > 0)
    await work(app, 260)
    expect(tries(phone)).toBe(5)
    expect(await timeline(app, user, body.id)).toEqual([...Array(4).fill('retried: timeout'), 'push_rejected: timeout'])
  })

  test('recovers: the running worker sends the waiting push', async () => {
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, { status: 429, reason: 'TooManyRequests', retryAfter: '1' })
    await app.post('/notifications', { title: 'Disk full', body: '2 % left' }, user.token)
    app.app.worker.start()
    onTestFinished(() => app.app.worker.stop())
    await eventually(async () => {
      app.advanceSeconds(0.5)
      expect((await phone.screen()).banners).toEqual(['Disk full'])
    })
  })
})

describe('an unreachable service', () => {
  test('a web push service that hangs, breaks off and is gone, and then APNs that is gone', async () => {
    const services = await startPushServices()
    const app = await services.startNode()
    onTestFinished(() => app.stop())
    const user = await app.addUser()
    const browser = await addBrowser(services, { app, user })
    services.webPush.answerWith('never answer')
    const asked = () => services.webPush.received.some(({ path }) => path === browser.path)
    const silent = await sendAndWait(app, user, asked)
    expectStoredOnly(silent)
    await services.close()
    const events = () => timeline(app, user, silent.body.id)
    await eventually(async () => expect(await events()).toEqual(['retried: push service: connection broke off']))
    for (const seconds of [1, 5, 30, 120]) {
      app.advanceSeconds(seconds)
      await app.runDueJobs()
    }
    expect((await events()).slice(1)).toEqual([
      ...Array(3).fill('retried: push service: cannot connect'),
      'push_rejected: push service: cannot connect',
    ])

    await addPhone(services, { app, user })
    const absent = await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    expectStoredOnly(absent)
    const channels = (await app.get('/devices', user.token)).body.items.map(
      ({ channel }: { channel: string }) => channel,
    )
    expect(channels.sort()).toEqual(['apns', 'web_push'])
    expect((await app.get('/notifications', user.token)).body.items).toHaveLength(2)
  })
})
