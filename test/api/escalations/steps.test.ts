// The steps of an escalation policy while nobody acknowledges an alert: when each is taken, and what it does.
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { QUOTAS } from '../../../src/contract/limits.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import { type ApplePhone, addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type CallbackSink, startCallbackSink } from '../../support/fakes/callback-sink.ts'
import { type FakeSmtp, headerOf, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { addVerified, mailSettings, PUBLIC_URL } from '../../support/fakes/mail.ts'
import { type PushServices, startPushServices } from '../../support/fakes/push-services.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'
import { setUsed } from '../../support/usage.ts'

let smtp: FakeSmtp
let sink: CallbackSink
let services: PushServices
let app: TestApp
let user: TestUser
let phone: ApplePhone
beforeAll(async () => {
  smtp = await startFakeSmtp()
  sink = await startCallbackSink(() => services.clock.now())
  services = await startPushServices(sink.ca)
  app = await services.startNode(mailSettings(smtp.port))
})
afterAll(async () => {
  await app.stop()
  await services.close()
  await Promise.all([sink.close(), smtp.close()])
})
beforeEach(async () => {
  user = await app.addUser()
  phone = await addPhone(services, { app, user })
  smtp.mails.length = 0
})

const QUIET = { repeat_seconds: 3600 }

async function pass(seconds: number) {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

async function addPolicy(steps: object[]): Promise<void> {
  const { status, text } = await app.post('/escalations', { slug: 'night', name: 'Night', steps }, user.token)
  expect([200, 201], text).toContain(status)
}

async function send(acknowledge: object = QUIET, members: object = {}): Promise<number> {
  const alert = { title: 'Fire', body: 'Room 3', acknowledge: { escalation: 'night', ...acknowledge }, ...members }
  const { status, body, text } = await app.post('/notifications', alert, user.defaultKey)
  expect(status, text).toBe(201)
  return body.id
}

const receiptOf = async (id: number) => (await app.get(`/notifications/receipts/${id}`, user.token)).body
const timelineOf = async (id: number): Promise<string[]> => {
  const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
  return items
    .filter(({ event }: { event: string }) => !event.startsWith('push_'))
    .map(({ event, detail }: { event: string; detail?: string }) => (detail ? `${event} ${detail}` : event))
}
const levels = async () => (await phone.pushes()).map(({ aps }) => aps?.['interruption-level'])
const press = (id: number) => app.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, user.token)

describe('how long an alert lasts', () => {
  const lifeOf = async (id: number) => {
    const { created_at, expires_at } = await receiptOf(id)
    return (Date.parse(expires_at) - Date.parse(created_at)) / 1000
  }

  test('an hour, or until one repeat after the last step', async () => {
    await addPolicy([{ after_seconds: 300, level: 'critical' }])
    expect(await lifeOf(await send({}))).toBe(3600)
    await addPolicy([
      { after_seconds: 300, level: 'critical', repeat_seconds: 600 },
      { after_seconds: 10_800, level: 'critical' },
    ])
    const id = await send({})
    expect(await lifeOf(id)).toBe(10_800 + 600)
    await pass(10_800)
    await pass(0)
    expect(await receiptOf(id)).toMatchObject({ status: 'active', escalated_steps: 2 })
    await pass(600)
    expect((await receiptOf(id)).status).toBe('expired')
  })

  test('422 escalation.after_expiry if it is to end before the last step: alerts, schedules and heartbeats', async () => {
    await addPolicy([{ after_seconds: 600, level: 'critical' }])
    const acknowledge = { escalation: 'night', expire_seconds: 600 }
    const alert = { title: 'T', body: 'B', acknowledge }
    const soon = new Date(app.clock.now() + 600_000).toISOString()
    const every = { slug: 'job', name: 'Job', every_seconds: 3600 }
    for (const [path, body] of [
      ['/notifications', alert],
      ['/notifications/scheduled', { ...alert, send_at: soon }],
      ['/heartbeats', { ...every, acknowledge }],
    ] as const) {
      expectProblem(await app.post(path, body, user.token), 422, 'escalation.after_expiry')
    }
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
    await heartbeatsOf(app).add(user, { ...every, acknowledge: { ...acknowledge, expire_seconds: 601 } })
    const patch = { acknowledge: { expire_seconds: 300 } }
    expectProblem(await app.patch('/heartbeats/job', patch, user.token), 422, 'escalation.after_expiry')
  })

  test('the alert of a heartbeat lasts longer if its policy was made longer since', async () => {
    await addPolicy([{ after_seconds: 60, level: 'critical' }])
    const acknowledge = { escalation: 'night', expire_seconds: 120, repeat_seconds: 60 }
    const job = await heartbeatsOf(app).add(user, { slug: 'job', acknowledge })
    await addPolicy([{ after_seconds: 7200, level: 'critical' }])
    await heartbeatsOf(app).ping(job, '/fail')
    const [alert] = await heartbeatsOf(app).told(user)
    expect(await lifeOf(alert?.id ?? 0)).toBe(7260)
  })
})

describe('a step', () => {
  test('pushes the alert again at its level, and repeats go on from there at its interval', async () => {
    await addPolicy([
      { after_seconds: 90, level: 'time-sensitive' },
      { after_seconds: 180, level: 'critical', repeat_seconds: 30 },
    ])
    const sentAt = app.clock.now()
    const id = await send({ repeat_seconds: 60 })
    const iso = (seconds: number) => new Date(sentAt + seconds * 1000).toISOString()
    expect(await receiptOf(id)).toMatchObject({
      escalation: 'night',
      escalated_steps: 0,
      next_escalation_at: iso(90),
    })
    for (const _ of Array(9)) await pass(30)
    // At 0 and 60 as it was sent, at 90 and 150 after the first step, and every 30 s after the second.
    const louder = [...Array(2).fill('time-sensitive'), ...Array(4).fill('critical')]
    expect(await levels()).toEqual(['active', 'active', ...louder])
    const receipt = await receiptOf(id)
    expect(receipt).toMatchObject({ escalated_steps: 2, repeat_seconds: 30, repeats_sent: 7, status: 'active' })
    expect(receipt.next_escalation_at).toBeUndefined()
    const [entry] = (await app.get('/notifications', user.token)).body.items
    expect(entry.level).toBe('active')
    expect((await timelineOf(id)).slice(0, 6)).toEqual([
      ...['accepted', 'stored', 'repeated 1', 'escalated 1/2', 'repeated 3', 'escalated 2/2'],
    ])
  })

  test('never lowers the level that the alert was sent with', async () => {
    await addPolicy([{ after_seconds: 60, level: 'active' }])
    await send(QUIET, { level: 'critical' })
    await pass(60)
    expect(await levels()).toEqual(['critical', 'critical'])
  })

  test('without an interval keeps that of the alert', async () => {
    await addPolicy([{ after_seconds: 60, level: 'critical' }])
    const id = await send({ repeat_seconds: 45 })
    await pass(45)
    await pass(15)
    expect(await receiptOf(id)).toMatchObject({ escalated_steps: 1, repeats_sent: 2, repeat_seconds: 45 })
    await pass(45)
    expect(await receiptOf(id)).toMatchObject({ repeats_sent: 3 })
  })

  test('is an event, with how far the alert has come', async () => {
    await addPolicy([{ after_seconds: 60, level: 'critical' }])
    const events = await openEvents(app.url, user.token)
    const id = await send()
    await pass(60)
    await eventually(() => expect(events.types()).toContain('receipt.escalated'))
    events.close()
    const event = events.events.find((one) => one.event === 'receipt.escalated')
    expect(event?.data.data).toEqual({ id, repeats_sent: 1, escalated_steps: 1 })
  })

  test('sends its e-mails, which cost what e-mails cost', async () => {
    await addVerified(app, user)
    await addPolicy([{ after_seconds: 60, emails: ['ada@example.org'] }])
    const id = await send(QUIET, { title: 'Fire\nin room 3', url: 'https://example.org/fire' })
    smtp.mails.length = 0
    await pass(60)
    expect(smtp.mails).toMatchObject([{ to: ['ada@example.org'] }])
    const mail = smtp.mails[0]!
    expect(headerOf(mail, 'subject')).toBe('Fire in room 3')
    expect(mail.raw).toContain('https://example.org/fire')
    expect((await app.get('/auth/me', user.token)).body.emails_used).toBe(1)
    expect((await app.get('/emails', user.token)).body.items).toMatchObject([{ status: 'sent' }])
    expect(await timelineOf(id)).toContain('emailed ada@example.org')
  })

  test('says so if a recipient has unsubscribed', async () => {
    await addVerified(app, user)
    await app.post('/emails', { to: 'ada@example.org', subject: 'S', text_body: 'T' }, user.token)
    const link = headerOf(smtp.mails.at(-1)!, 'list-unsubscribe') ?? ''
    await app.post(link.slice(1 + PUBLIC_URL.length, -1))
    await addPolicy([{ after_seconds: 60, level: 'critical', emails: ['ada@example.org'] }])
    const id = await send()
    smtp.mails.length = 0
    await pass(60)
    expect(smtp.mails).toEqual([])
    const told = (await timelineOf(id)).filter((line) => line.startsWith('email'))
    expect(told).toEqual([expect.stringMatching(/^email_refused ada@example\.org: the recipient has unsubscribed/)])
  })

  test('is taken although an e-mail is refused: removed recipient, no quota left', async () => {
    await app.setPlan(user, 'free')
    const gone = await addVerified(app, user, 'gone@example.org')
    await addVerified(app, user)
    await addPolicy([
      { after_seconds: 60, level: 'critical', emails: ['gone@example.org', 'ada@example.org'] },
      { after_seconds: 120, level: 'critical' },
    ])
    const id = await send()
    await app.del(`/emails/recipients/${gone.id}`, user.token)
    await setUsed(app, user, 'emails', QUOTAS.free.emails?.limit ?? 0)
    await pass(60)
    await pass(60)
    expect(smtp.mails.filter(({ raw }) => raw.includes('Room 3'))).toEqual([])
    expect(await receiptOf(id)).toMatchObject({ escalated_steps: 2 })
    expect(await levels()).toEqual(['active', 'critical', 'critical'])
    const refused = (await timelineOf(id)).filter((line) => line.startsWith('email_refused'))
    expect(refused).toEqual([
      expect.stringMatching(/^email_refused gone@example\.org: .*is no recipient/),
      expect.stringMatching(/^email_refused ada@example\.org: .*used/),
    ])
  })

  test('calls back once, signed with the key of the alert; an attempt that fails is made again', async () => {
    const receiver = sink.receiver({ status: 503 }, { status: 200 })
    await addPolicy([{ after_seconds: 60, callback_url: receiver.url }])
    const id = await send()
    await pass(60)
    const at = new Date(app.clock.now()).toISOString()
    await pass(60)
    await pass(600)
    expect(receiver.received).toHaveLength(2)
    for (const { headers, body } of receiver.received) {
      expect(JSON.parse(body)).toMatchObject({
        type: 'notification.escalated',
        timestamp: at,
        data: { notification_id: id, status: 'active', escalated_steps: 1 },
      })
      expect(headers['webhook-id']).toBe(`pwr_${id}_1`)
      expect(headers['webhook-signature']).toBe(signatureOf(user.defaultKey, headers, body))
    }
    const attempts = (await timelineOf(id)).filter((line) => line.startsWith('callback_attempt'))
    expect(attempts).toEqual([
      'callback_attempt step 1, attempt 1 of 7: answered 503',
      'callback_attempt step 1, attempt 2 of 7: answered 200',
    ])
  })

  test('tells with every attempt which step it was, also after the next one', async () => {
    const receiver = sink.receiver({ status: 503 }, { status: 200 })
    await addPolicy([
      { after_seconds: 60, callback_url: receiver.url },
      { after_seconds: 90, level: 'critical' },
    ])
    const id = await send()
    await pass(60)
    await pass(30)
    await pass(30)
    expect((await receiptOf(id)).escalated_steps).toBe(2)
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.escalated_steps)).toEqual([1, 1])
  })

  test('of a heartbeat calls nobody if the account has no key to sign it with', async () => {
    const receiver = sink.receiver()
    await addPolicy([{ after_seconds: 60, callback_url: receiver.url }])
    const heartbeats = heartbeatsOf(app)
    const backup = await heartbeats.add(user, { acknowledge: { escalation: 'night', ...QUIET } })
    await heartbeats.ping(backup, '/fail')
    for (const { id } of (await app.get('/integrations/keys', user.token)).body) {
      expect((await app.del(`/integrations/keys/${id}`, user.token)).status).toBe(204)
    }
    await pass(60)
    const [alert] = await heartbeats.told(user)
    expect(await timelineOf(alert?.id ?? 0)).toContain(
      'callback_attempt step 1, attempt 1 of 7: the account has no key to sign it with',
    )
    expect(receiver.received).toEqual([])
  })

  test('of a heartbeat calls back with the default key, because no key sends its alert', async () => {
    const receiver = sink.receiver()
    await addPolicy([{ after_seconds: 60, callback_url: receiver.url }])
    const heartbeats = heartbeatsOf(app)
    const backup = await heartbeats.add(user, { acknowledge: { escalation: 'night', ...QUIET } })
    await heartbeats.ping(backup, '/fail')
    await pass(60)
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]]
    expect(headers['webhook-signature']).toBe(signatureOf(user.defaultKey, headers, body))
    await heartbeats.ping(backup)
    const { items } = (await app.get('/notifications/receipts', user.token)).body
    expect(items).toMatchObject([{ status: 'canceled', cancel_reason: 'resolved', escalated_steps: 1 }])
  })
})

function signatureOf(key: string, headers: Record<string, unknown>, body: string): string {
  const secret = createHmac('sha256', createHash('sha256').update(key).digest()).update('pushward/callback/v1').digest()
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
}

describe('steps end with the alert', () => {
  const endings = [
    { name: 'acknowledged', end: press },
    { name: 'canceled', end: (id: number) => app.post(`/notifications/receipts/${id}/cancel`, undefined, user.token) },
    { name: 'canceled', end: (id: number) => app.del(`/notifications/${id}`, user.token) },
  ]
  test.each(endings)('that is $name', async ({ name, end }) => {
    await addPolicy([
      { after_seconds: 60, level: 'time-sensitive' },
      { after_seconds: 120, level: 'critical' },
    ])
    const id = await send()
    await pass(60)
    await end(id)
    await pass(600)
    const receipt = await receiptOf(id)
    expect(receipt).toMatchObject({ status: name, escalated_steps: 1 })
    expect(receipt.next_escalation_at).toBeUndefined()
    expect(await levels()).not.toContain('critical')
  })
})

describe('an alert keeps the steps that it was sent with', () => {
  test('when the policy is changed or deleted', async () => {
    await addPolicy([
      { after_seconds: 60, level: 'time-sensitive' },
      { after_seconds: 120, level: 'critical' },
    ])
    const id = await send()
    await addPolicy([{ after_seconds: 3600, level: 'active' }])
    await pass(60)
    await app.del('/escalations/night?force=true', user.token)
    await pass(60)
    expect(await levels()).toEqual(['active', 'time-sensitive', 'critical'])
    expect(await receiptOf(id)).toMatchObject({ escalation: 'night', escalated_steps: 2 })
  })
})

test('steps that were missed are not taken any more once the alert has expired', async () => {
  await addPolicy([{ after_seconds: 300, level: 'critical' }])
  const id = await send({ ...QUIET, expire_seconds: 600 })
  await pass(600)
  expect(await receiptOf(id)).toMatchObject({ status: 'expired', escalated_steps: 0 })
  expect(await levels()).toEqual(['active'])
})

test('steps that were missed are taken once each, in order, without waiting between them', async () => {
  await addVerified(app, user)
  const receiver = sink.receiver()
  await addPolicy([
    { after_seconds: 300, level: 'time-sensitive' },
    { after_seconds: 900, emails: ['ada@example.org'] },
    { after_seconds: 1800, level: 'critical', callback_url: receiver.url },
    { after_seconds: 7200, level: 'critical' },
  ])
  const id = await send({ ...QUIET, expire_seconds: 10_800 })
  smtp.mails.length = 0
  await pass(3600)
  expect(await receiptOf(id)).toMatchObject({ escalated_steps: 3, status: 'active' })
  const taken = (await timelineOf(id)).filter((line) => /^(escalated|emailed)/.test(line))
  expect(taken).toEqual(['escalated 1/4', 'escalated 2/4', 'emailed ada@example.org', 'escalated 3/4'])
  expect(smtp.mails).toHaveLength(1)
  expect(receiver.received).toHaveLength(1)
  expect((await levels()).at(-1)).toBe('critical')
  await pass(3599)
  expect(await receiptOf(id)).toMatchObject({ escalated_steps: 3 })
  await pass(1)
  expect(await receiptOf(id)).toMatchObject({ escalated_steps: 4 })
})
