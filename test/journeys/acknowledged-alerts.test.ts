// Alerts from start to end: one is acknowledged on the second device, one expires, and some are canceled by
// their tag.
import { createHash, createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { isPostgres } from '../support/database/database.ts'
import { addBrowser, addPhone } from '../support/devices/phone.ts'
import { openEvents } from '../support/event-reader.ts'
import { eventually } from '../support/eventually.ts'
import { type CallbackSink, startCallbackSink } from '../support/fakes/callback-sink.ts'
import { startPushServices } from '../support/fakes/push-services.ts'

// The program uses one server and the person another one, if the database allows two.
async function startNodes() {
  const sink: CallbackSink = await startCallbackSink(() => services.clock.now())
  const services = await startPushServices(sink.ca)
  const forPerson = await services.startNode()
  const forProgram = isPostgres() ? await services.startNode({}, forPerson.database) : forPerson
  onTestFinished(async () => {
    await services.close()
    await sink.close()
    if (forProgram !== forPerson) await forProgram.stop()
    await forPerson.stop()
  })
  const user = await forPerson.addUser()
  const key = await forPerson.addKey(user, { name: 'Monitoring', permissions: { notifications: 'send' } })
  const owner = { app: forPerson, user }
  const phone = await addPhone(services, { ...owner, name: 'Phone' })
  const browser = await addBrowser(services, { ...owner, name: 'Laptop' })
  const pass = async (seconds: number) => {
    services.clock.advanceSeconds(seconds)
    for (const node of new Set<TestApp>([forProgram, forPerson])) await node.runDueJobs()
  }
  return { services, sink, forPerson, forProgram, user, key, phone, browser, pass }
}

const isIn = (minutes: number, { clock }: { clock: { now(): number } }) =>
  new Date(clock.now() + minutes * 60_000).toISOString()

test('an alert repeats, is acknowledged on the second device, and its sender is called back', async () => {
  const { services, sink, forPerson, forProgram, user, key, phone, browser, pass } = await startNodes()
  const receiver = sink.receiver({ status: 503 }, { status: 200 })
  const desk = await openEvents(forPerson.url, user.token)
  const sent = await forProgram.post(
    '/notifications',
    {
      title: 'Database down',
      body: 'db01 does not answer',
      level: 'critical',
      acknowledge: { repeat_seconds: 60, expire_seconds: 900, action_title: 'I am on it' },
      tags: ['db01'],
      callback_url: receiver.url,
    },
    key,
  )
  expect(sent.body).toMatchObject({
    delivery: 'all',
    answerable: true,
    receipt: { status: 'active', expires_at: isIn(15, services), callback: { status: 'pending', attempts: 0 } },
  })
  const { id } = sent.body

  await pass(60)
  await pass(60)
  expect([(await phone.pushes()).length, (await browser.pushes()).length]).toEqual([3, 3])
  for (const device of [phone, browser]) {
    expect(await device.screen()).toEqual({ banners: ['Database down'], badge: 1 })
  }

  const { alarmsMs } = services.clock
  const alarms = alarmsMs.length
  const waiting = forProgram.get(`/notifications/receipts/${id}?wait=25`, key)
  await eventually(() => expect(alarmsMs.length).toBeGreaterThan(alarms))
  expect((await browser.answer('Database down', 'pw_ack')).status).toBe(200)
  expect((await waiting).body).toMatchObject({
    status: 'acknowledged',
    repeats_sent: 2,
    acknowledged_by: user.userId,
    acknowledged_by_device: 'Laptop',
    action_id: 'pw_ack',
  })
  await pass(0)
  expect((await phone.screen()).banners).toEqual([])

  // The first attempt was answered with 503.
  await pass(60)
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(Array(2).fill('notification.acknowledged'))
  for (const { headers, body } of receiver.received) {
    const secret = createHmac('sha256', createHash('sha256').update(key).digest())
      .update('pushward/callback/v1')
      .digest()
    const signed = `pwr_${id}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
  }
  const receipt = (await forProgram.get(`/notifications/receipts/${id}`, key)).body
  expect(receipt.callback).toMatchObject({ status: 'delivered', attempts: 2 })
  await pass(3600)
  expect((await phone.pushes()).filter(({ aps }) => aps?.alert)).toHaveLength(3)

  const { items } = (await forProgram.get(`/notifications/${id}/timeline`, key)).body
  const story = items.map(({ event }: { event: string }) => event).filter((event: string) => !event.startsWith('push_'))
  expect(story).toEqual([
    ...['accepted', 'stored', 'repeated', 'repeated', 'acknowledged', 'answered'],
    ...['callback_attempt', 'callback_attempt'],
  ])
  await eventually(() => expect(desk.types()).toContain('notification.answered'))
  desk.close()
  expect(desk.types()).toEqual([
    ...['notification.created', 'receipt.created', 'receipt.repeated', 'receipt.repeated'],
    ...['receipt.acknowledged', 'notification.answered'],
  ])
})

test('an alert that is never acknowledged expires, and its sender is called back', async () => {
  const { services, sink, forProgram, key, phone, pass } = await startNodes()
  const receiver = sink.receiver()
  const expires_at = isIn(5, services)
  const { id } = (
    await forProgram.post(
      '/notifications',
      {
        title: 'Water in the cellar',
        body: 'sensor 2',
        acknowledge: { repeat_seconds: 120, expire_seconds: 300 },
        callback_url: receiver.url,
      },
      key,
    )
  ).body
  for (const _ of Array(6)) await pass(60)
  expect((await phone.pushes()).length).toBe(3)
  const { body } = await forProgram.get(`/notifications/receipts/${id}`, key)
  expect(body).toMatchObject({ status: 'expired', repeats_sent: 2, callback: { status: 'delivered', attempts: 1 } })
  const [callback] = receiver.received
  expect(JSON.parse(callback?.body ?? '')).toMatchObject({ type: 'notification.expired', timestamp: expires_at })
  expect((await phone.screen()).banners).toEqual(['Water in the cellar'])
})

test('alerts with a common tag are canceled together', async () => {
  const { sink, forPerson, forProgram, user, key, phone, pass } = await startNodes()
  const receiver = sink.receiver()
  const send = async (title: string, tags: string[]): Promise<number> => {
    const acknowledge = { repeat_seconds: 60 }
    const body = { title, body: 'B', acknowledge, tags, callback_url: receiver.url }
    return (await forProgram.post('/notifications', body, key)).body.id
  }
  const [disk, load] = [await send('Disk', ['db01', 'disk']), await send('Load', ['db01'])]
  const fan = await send('Fan', ['db02'])
  await pass(60)
  const before = (await phone.pushes()).length
  expect((await forProgram.post('/notifications/receipts/cancel', { tag: 'db01' }, key)).body).toEqual({ canceled: 2 })
  await pass(60)
  expect((await phone.pushes()).slice(before).map(({ aps }) => aps?.alert?.title)).toEqual(['Fan'])
  const statuses = async () =>
    Promise.all(
      [disk, load, fan].map(
        async (id) => (await forPerson.get(`/notifications/receipts/${id}`, user.token)).body.status,
      ),
    )
  expect(await statuses()).toEqual(['canceled', 'canceled', 'active'])
  expect((await phone.screen()).banners.toSorted()).toEqual(['Disk', 'Fan', 'Load'])
  await pass(3600)
  expect(await statuses()).toEqual(['canceled', 'canceled', 'expired'])
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.notification_id)).toEqual([fan])
})
