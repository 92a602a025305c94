// R28 on the way to the devices: a changed widget becomes thin pushes to widget extensions and browsers. When they are
// due is tested in widget-pushes.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp, TestUser } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { phone as anyPhone } from '../../support/devices/devices.ts'
import { type ApplePhone, addBrowser, addPhone } from '../../support/devices/phone.ts'
import { BUNDLE_ID, letPass, type PushServices, startPushServices } from '../../support/fakes/push-services.ts'

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
  test('reaches the widget extension: type, topic and token of its own, and no content', async () => {
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

  test('reaches browsers, with the slug, and replaces a reload that still waits', async () => {
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

  test('three patches within the window are two pushes, the last after the newest content', async () => {
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

  test('R28 200 patches in 10 seconds over every node, push_throttle 1: 10 to 12 pushes, one after the last', async () => {
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
  }, 60_000)

  test('asks nothing of a phone without a widget token, nor of another account', async () => {
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

  test('R28 a silent push service holds nothing up: the next window has its push', async () => {
    await addWidget()
    services.apns.script(phone.widgetToken, 'silence')
    await patch(1)
    const running = runDueJobs()
    await services.apns.until(() => asked().length === 1)
    await letPass(app, 15)
    await running
    await runDueJobs()
    expect(asked()).toHaveLength(2)
    await patch(2)
    await runDueJobs()
    expect(asked()).toHaveLength(3)
  })
})

const asked = () => services.apns.requests.filter(({ token }) => token === phone.widgetToken)
const BUSY = { status: 429, reason: 'TooManyRequests' } as const

// Longer at each step than the pause before the next try.
async function pass() {
  for (const seconds of [60, 120, 240, 480]) {
    services.clock.advanceSeconds(seconds)
    await runDueJobs()
  }
}

describe('a push service that asks to try later', () => {
  test('is asked again until it accepts, for the device that has missed the reload and for no other', async () => {
    const other = await addPhone(services, { app, user })
    await addWidget({ push_throttle: 3600 })
    services.apns.script(phone.widgetToken, BUSY, BUSY)
    await patch(1)
    await runDueJobs()
    expect([asked().length, phone.widgetReloads(), other.widgetReloads()]).toEqual([1, 0, 1])
    await pass()
    expect([asked().length, phone.widgetReloads(), other.widgetReloads()]).toEqual([3, 1, 1])
  })

  test('is given up after five tries', async () => {
    await addWidget({ push_throttle: 3600 })
    services.apns.script(phone.widgetToken, ...Array(20).fill(BUSY))
    await patch(1)
    await runDueJobs()
    await pass()
    await pass()
    expect(asked()).toHaveLength(5)
  })

  test('is not asked again once a newer reload has gone out', async () => {
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

  test('C20 is asked again after a day, however long a pause it asks for', async () => {
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

  test('and a device that is gone by then loses its token as ever', async () => {
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
