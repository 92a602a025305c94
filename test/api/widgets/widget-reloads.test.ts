// R28: a changed widget is pushed to widget extensions and browsers, without its content. When the pushes are due is
// tested in widget-pushes.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enqueueJob } from '../../../src/store/jobs.ts'
import { findWidget } from '../../../src/store/widgets/widgets.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { phone as anyPhone } from '../../support/devices/devices.ts'
import { type ApplePhone, addBrowser, addPhone } from '../../support/devices/phone.ts'
import { BUNDLE_ID, letPass, type PushServices, startPushServices } from '../../support/fakes/push-services.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

let services: PushServices
const nodes: TestApp[] = []
let app: TestApp
let user: TestUser
let phone: ApplePhone
beforeAll(async () => {
  services = await startPushServices()
  app = await services.startNode()
  nodes.push(app)
  if (isPostgres()) nodes.unshift(await services.startNode({}, app.database))
})
afterAll(async () => {
  await services.close()
  for (const node of nodes) await node.stop()
})
beforeEach(async () => {
  user = await app.addUser()
  phone = await addPhone(services, { app, user })
})

const addWidget = (members: object = {}) =>
  app.post('/widgets', { slug: 'load', name: 'Load', content: { template: 'value', value: 0 }, ...members }, user.token)
const patch = (value: number, node = app) => node.patch('/widgets/load', { content: { value } }, user.token)
const runDueJobs = () => Promise.all(nodes.map((node) => node.runDueJobs()))

describe('a changed widget', () => {
  test('is pushed to the widget extension with its own type, topic and token, and without content', async () => {
    await addWidget()
    await patch(1)
    await runDueJobs()
    const [request, ...more] = services.apns.requests.filter(({ token }) => token === phone.widgetToken)
    expect(more).toEqual([])
    expect(request?.headers).toMatchObject({
      'apns-push-type': 'widgets',
      'apns-topic': `${BUNDLE_ID}.push-type.widgets`,
    })
    expect(JSON.parse(request?.payload ?? '')).toEqual({ aps: { 'content-changed': true } })
    expect(await phone.pushes()).toEqual([])
  })

  test('is pushed if it shows a heartbeat whose status changes', async () => {
    const heartbeats = heartbeatsOf(app)
    const heartbeat = await heartbeats.add(user, { widget: true })
    await heartbeats.ping(heartbeat)
    await runDueJobs()
    expect(phone.widgetReloads()).toBe(1)
  })

  test('is pushed to browsers with the slug, and replaces a waiting reload', async () => {
    const browser = await addBrowser(services, { app, user })
    await addWidget()
    await patch(1)
    await runDueJobs()
    services.clock.advanceSeconds(15)
    await patch(2)
    await runDueJobs()
    const reload = { type: 'widget.updated', slug: 'load' }
    expect(await browser.pushes()).toEqual([reload, reload])
    const topics = services.webPush.received
      .filter(({ path }) => path === browser.path)
      .map(({ headers }) => headers.topic)
    expect(topics[0]).toMatch(/^[A-Za-z0-9_-]{32}$/)
    expect(topics[1]).toBe(topics[0])
  })

  test('is pushed once if two of its jobs run at the same time', async () => {
    await addWidget()
    await patch(1)
    const { db } = app.app.ctx
    const widget = await findWidget(db.read, user.userId, 'load')
    // As of a change that was made after the first job had been claimed.
    const payload = { userId: user.userId, widgetId: widget!.id }
    await db.transact((tx) => enqueueJob(tx, { kind: 'reload-widget', payload, runAt: services.clock.now() }))
    await runDueJobs()
    expect(phone.widgetReloads()).toBe(1)
  })

  test('three patches within the window are two pushes, the last one after the newest content', async () => {
    await addWidget()
    for (const value of [1, 2, 3]) {
      await patch(value)
      await runDueJobs()
    }
    expect(phone.widgetReloads()).toBe(1)
    services.clock.advanceSeconds(15)
    await runDueJobs()
    expect(phone.widgetReloads()).toBe(2)
    services.clock.advanceSeconds(60)
    await runDueJobs()
    expect(phone.widgetReloads()).toBe(2)
  })

  test('R28 200 patches in 10 seconds on all nodes with push_throttle 1: 10 to 12 pushes, one after the last patch', async () => {
    await addWidget({ push_throttle: 1 })
    for (let step = 0; step < 100; step++) {
      await Promise.all([patch(step, nodes.at(0)), patch(step, nodes.at(-1))])
      await runDueJobs()
      services.clock.advanceSeconds(0.1)
    }
    const before = phone.widgetReloads()
    services.clock.advanceSeconds(1)
    await runDueJobs()
    expect(phone.widgetReloads()).toBe(before + 1)
    expect(phone.widgetReloads()).toBeGreaterThanOrEqual(10)
    expect(phone.widgetReloads()).toBeLessThanOrEqual(12)
  })

  test('is not pushed to a phone without a widget token, nor to another account', async () => {
    const stranger = await addPhone(services, { app, user: await app.addUser() })
    const bare = anyPhone()
    await app.put('/devices/bare', bare, user.token)
    await addWidget()
    await patch(1)
    await runDueJobs()
    expect([phone.widgetReloads(), stranger.widgetReloads()]).toEqual([1, 0])
    expect(services.apns.requests.map(({ token }) => token)).not.toContain(bare.apns?.device_token)
  })

  test('R27 an extension that is gone loses its widget token and nothing else', async () => {
    services.clock.advanceSeconds(1)
    services.apns.script(phone.widgetToken, { status: 410, reason: 'Unregistered', timestamp: services.clock.now() })
    await addWidget()
    await patch(1)
    await runDueJobs()
    services.clock.advanceSeconds(15)
    await patch(2)
    await runDueJobs()
    const asked = services.apns.requests.filter(({ token }) => token === phone.widgetToken)
    expect(asked).toHaveLength(1)
    const { body } = await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    expect(body.delivery).toBe('all')
  })

  test('R28 a push service that does not answer does not delay the push of the next window', async () => {
    await addWidget()
    services.apns.script(phone.widgetToken, 'silence')
    await patch(1)
    const running = runDueJobs()
    await services.apns.until(() => asked().length === 1)
    await letPass(app, 15)
    await running
    // Longer than the delay before the next attempt, which begins when the code has noticed the timeout.
    services.clock.advanceSeconds(60)
    await runDueJobs()
    expect(asked()).toHaveLength(2)
    await patch(2)
    await runDueJobs()
    expect(asked()).toHaveLength(3)
  })
})

const asked = () => services.apns.requests.filter(({ token }) => token === phone.widgetToken)
const BUSY = { status: 429, reason: 'TooManyRequests' } as const

// Each step is longer than the delay before the next attempt.
async function pass() {
  for (const seconds of [60, 120, 240, 480]) {
    services.clock.advanceSeconds(seconds)
    await runDueJobs()
  }
}

describe.skipIf(sqliteSuffices())('a push service that asks to try later', () => {
  test('is retried until it accepts, for the device that missed the reload and no other', async () => {
    const other = await addPhone(services, { app, user })
    await addWidget({ push_throttle: 3600 })
    services.apns.script(phone.widgetToken, BUSY, BUSY)
    await patch(1)
    await runDueJobs()
    expect([asked().length, phone.widgetReloads(), other.widgetReloads()]).toEqual([1, 0, 1])
    await pass()
    expect([asked().length, phone.widgetReloads(), other.widgetReloads()]).toEqual([3, 1, 1])
  })

  test('is given up after five attempts', async () => {
    await addWidget({ push_throttle: 3600 })
    services.apns.script(phone.widgetToken, ...Array(20).fill(BUSY))
    await patch(1)
    await runDueJobs()
    await pass()
    await pass()
    expect(asked()).toHaveLength(5)
  })

  test('is not retried once a newer reload was sent', async () => {
    await addWidget()
    services.webPush.answerWith({ status: 429, headers: { 'retry-after': '100' } })
    const browser = await addBrowser(services, { app, user })
    await patch(1)
    await runDueJobs()
    services.clock.advanceSeconds(15)
    await patch(2)
    await runDueJobs()
    services.clock.advanceSeconds(200)
    await runDueJobs()
    expect(services.webPush.received.filter(({ path }) => path === browser.path)).toHaveLength(2)
  })

  test('C20 is retried after a day at the latest, whatever its Retry-After', async () => {
    const browser = await addBrowser(services, { app, user })
    await addWidget({ push_throttle: 3600 })
    services.webPush.answerWith({ status: 429, headers: { 'retry-after': '999999999' } })
    await patch(1)
    await runDueJobs()
    services.clock.advanceSeconds(86_399)
    await runDueJobs()
    const received = () => services.webPush.received.filter(({ path }) => path === browser.path).length
    expect(received()).toBe(1)
    services.clock.advanceSeconds(1)
    await runDueJobs()
    expect(received()).toBe(2)
  })

  test('a device that is gone by the retry loses its token', async () => {
    services.apns.script(phone.widgetToken, BUSY, {
      status: 410,
      reason: 'Unregistered',
      timestamp: services.clock.now() + 1000,
    })
    await addWidget()
    await patch(1)
    await runDueJobs()
    services.clock.advanceSeconds(120)
    await runDueJobs()
    await patch(2)
    await runDueJobs()
    expect(asked()).toHaveLength(2)
  })
})
