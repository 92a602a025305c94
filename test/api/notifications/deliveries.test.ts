// Pushes to the devices of an account when a notification is sent, and the delivery report of the sender. Refusals are
// in delivery-refusals.test.ts, slow and failing push services in delivery-faults.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { authenticate, readCredentials } from '../../../src/operations/authenticate.ts'
import { sendNotification } from '../../../src/operations/notifications/send.ts'
import { notificationPushId } from '../../../src/push/payload/push-id.ts'
import { startTestApp, type TestUser } from '../../support/app.ts'
import { phone as anyPhone, terminal } from '../../support/devices/devices.ts'
import { type ApplePhone, addBrowser, addPhone, type Browser } from '../../support/devices/phone.ts'
import { BUNDLE_ID, usePushApp } from '../../support/fakes/push-services.ts'

const app = usePushApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const plain = { title: 'Disk full', body: 'node-3 has 2 % left' }
const send = async (members: object = {}, token = user.token) =>
  (await app.post('/notifications', { ...plain, ...members }, token)).body
const phone = (name?: string) => addPhone(app, { app, user, name })
const browser = (name?: string) => addBrowser(app, { app, user, name })
const timeline = async (id: number) => (await app.get(`/notifications/${id}/timeline`, user.token)).body.items

const requestsFor = ({ token }: ApplePhone) => app.apns.requests.filter((request) => request.token === token)
const receivedBy = ({ path }: Browser) => app.webPush.received.filter((push) => push.path === path)

describe('a device that changes its account or address during a send', () => {
  // Runs after the addresses were read and before the transaction of the send begins.
  async function sendWhile(happens: () => Promise<unknown>) {
    const { ctx } = app.app
    const transact: typeof ctx.db.transact = async (work) => {
      await happens()
      return ctx.db.transact(work)
    }
    const racing = { ...ctx, db: { ...ctx.db, transact } }
    const sent = await sendNotification(racing, await authenticate(ctx, readCredentials(user.token)), plain)
    return 'result' in sent ? sent.result.delivery : undefined
  }
  const register = (owner: TestUser, id: string, device_token: string) =>
    app.put(`/devices/${id}`, anyPhone({ device_token }), owner.token)

  test('C22 gets nothing that was sent to its former account', async () => {
    const device = await phone()
    const stranger = await app.addUser()
    const delivery = await sendWhile(() => register(stranger, 'same-phone', device.token))
    expect(delivery).toEqual({ delivery: 'none', reason: 'no_apns_token' })
    await app.runDueJobs()
    expect(requestsFor(device)).toEqual([])
  })

  test('is reached at its new address', async () => {
    const device = await phone()
    const newToken = 'ab'.repeat(32)
    app.clock.advanceSeconds(1)
    expect(await sendWhile(() => register(user, device.id, newToken))).toEqual({ delivery: 'all' })
    expect(requestsFor(device)).toEqual([])
    expect(app.apns.requests.map(({ token }) => token)).toContain(newToken)
  })
})

describe('an Apple device', () => {
  test('gets an alert with the headers of APNs and a valid provider token', async () => {
    const device = await phone()
    const { id, delivery, reason } = await send({ thread_id: 'disks' })
    expect([delivery, reason]).toEqual(['all', undefined])
    const [request, ...more] = requestsFor(device)
    expect(more).toEqual([])
    expect(request?.headers).toMatchObject({
      ':method': 'POST',
      ':path': `/3/device/${device.token}`,
      'apns-push-type': 'alert',
      'apns-topic': BUNDLE_ID,
      'apns-id': notificationPushId(id as NotificationId, device.id, 0),
      'apns-priority': '10',
      'apns-expiration': String(Math.floor(app.clock.now() / 1000) + 86_400),
    })
    expect(request?.headers).not.toHaveProperty('apns-collapse-id')
    expect(await device.pushes()).toMatchObject([
      { aps: { alert: plain, badge: 1, 'thread-id': 'disks', 'interruption-level': 'active' }, notification_id: id },
    ])
    // The fake has verified signature, key id, team and age before it answered 200.
    const ageSeconds = app.clock.now() / 1000 - (app.apns.issueTimes.at(-1) ?? 0)
    expect(ageSeconds).toBeGreaterThanOrEqual(0)
    expect(ageSeconds).toBeLessThan(3600)
  })

  test.each([
    ['passive', '5', undefined],
    ['time-sensitive', '10', 'default'],
    ['critical', '10', { critical: 1, name: 'default', volume: 0.5 }],
  ])('is interrupted as level %s requires', async (level, priority, sound) => {
    const device = await phone()
    await send({ level, volume: 0.5 })
    expect(requestsFor(device)[0]?.headers['apns-priority']).toBe(priority)
    const [push] = await device.pushes()
    expect(push?.aps).toMatchObject({ 'interruption-level': level })
    expect(push?.aps?.sound).toEqual(sound)
  })
})

describe('R34: a browser', () => {
  test('gets a message encrypted for it, with a valid VAPID token', async () => {
    const device = await browser()
    const { id, delivery } = await send({ metadata: { node: '3' } })
    expect(delivery).toBe('all')
    // read() decrypts the push and verifies the VAPID token with the key the browser subscribed with.
    expect(await device.pushes()).toEqual([
      {
        type: 'notification',
        ...plain,
        level: 'active',
        badge: 1,
        notification_id: id,
        created_at: new Date(app.clock.now()).toISOString(),
        metadata: { node: '3' },
      },
    ])
    const [received] = receivedBy(device)
    expect(received?.body.includes('Disk')).toBe(false)
    expect(received?.headers).toMatchObject({ ttl: '86400', urgency: 'normal', 'content-encoding': 'aes128gcm' })
    expect(received?.headers).not.toHaveProperty('topic')
    const claims = /^vapid t=[^.]+\.([^.]+)/.exec(received?.headers.authorization ?? '')?.[1] ?? ''
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(aud).toBe(app.webPush.origin)
    expect(exp - app.clock.now() / 1000).toBeGreaterThan(0)
    expect(exp - app.clock.now() / 1000).toBeLessThan(86_400)
    expect(sub).toMatch(/^(mailto|https):/)
  })

  test.each([
    ['passive', 'low'],
    ['active', 'normal'],
    ['time-sensitive', 'high'],
    ['critical', 'high'],
  ])('level %s is urgency %s', async (level, urgency) => {
    const device = await browser()
    await send({ level })
    expect(receivedBy(device)[0]?.headers.urgency).toBe(urgency)
  })
})

describe('delivery', () => {
  test('all: every device of the account accepted it, and no other device got it', async () => {
    const devices = [await phone('One'), await phone('Two'), await browser('Three')]
    const stranger = await addPhone(app, { app, user: await app.addUser() })
    const sent = await send()
    expect(sent).toMatchObject({ delivery: 'all', pushed: true })
    expect(sent).not.toHaveProperty('reason')
    for (const device of devices) expect((await device.screen()).banners).toEqual(['Disk full'])
    expect(await stranger.pushes()).toEqual([])
    const events = (await timeline(sent.id)).map(({ event, device }: Record<string, string>) => `${event} ${device}`)
    expect(events.slice(0, 2)).toEqual(['accepted undefined', 'stored undefined'])
    expect(events.slice(2).sort()).toEqual(
      ['One', 'Two', 'Three'].flatMap((name) => [`push_sent ${name}`, `push_accepted ${name}`]).sort(),
    )
    const { items } = (await app.get('/devices', user.token)).body
    for (const item of items) {
      expect(item.last_push_at).toBe(sent.created_at)
      expect(item).not.toHaveProperty('last_push_error')
    }
  })

  test('partial: some refused', async () => {
    const [good, bad, alsoGood] = [await phone('Good'), await phone('Bad'), await browser('Also good')]
    app.apns.script(bad.token, { status: 400, reason: 'PayloadEmpty' })
    expect(await send()).toMatchObject({ delivery: 'partial', reason: 'apns_rejected' })
    expect((await good.screen()).banners).toHaveLength(1)
    expect((await alsoGood.screen()).banners).toHaveLength(1)
  })

  test('partial: the browser refused, with the same reason', async () => {
    await phone()
    await browser()
    app.webPush.answerWith({ status: 400 })
    expect(await send()).toMatchObject({ delivery: 'partial', reason: 'apns_rejected' })
  })

  test('none, apns_rejected: all refused', async () => {
    app.apns.script((await phone()).token, { status: 400, reason: 'PayloadEmpty' })
    await browser()
    app.webPush.answerWith({ status: 403 })
    expect(await send()).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
  })

  test('none, no_apns_token: devices that only listen to the event stream do not count', async () => {
    await app.put('/devices/t', terminal, user.token)
    expect(await send()).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })
    const device = await phone()
    expect(await send()).toMatchObject({ delivery: 'all' })
    await app.del(`/devices/${device.id}`, user.token)
    expect(await send()).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })
  })

  test('none, push_disabled: with push false nothing is sent and no quota is used', async () => {
    const [apple, web] = [await phone(), await browser()]
    const sent = await send({ push: false })
    expect(sent).toMatchObject({ delivery: 'none', reason: 'push_disabled', pushed: false })
    await app.runDueJobs()
    expect([await apple.pushes(), await web.pushes()]).toEqual([[], []])
    expect((await timeline(sent.id)).map(({ event }: { event: string }) => event)).toEqual(['accepted', 'stored'])
    expect((await app.get('/auth/me', user.token)).body.notifications_used).toBe(0)
  })

  test('none on a server without an APNs key; the timeline says so', async () => {
    const keyless = await startTestApp()
    const { token } = await keyless.addUser()
    await keyless.put('/devices/d', anyPhone(), token)
    const { body } = await keyless.post('/notifications', plain, token)
    const { items } = (await keyless.get(`/notifications/${body.id}/timeline`, token)).body
    await keyless.stop()
    expect(body).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
    expect(items.at(-1)).toMatchObject({ event: 'push_rejected', detail: expect.stringContaining('no APNs key') })
  })
})

describe('the content of a push', () => {
  test('the badge counts every unread entry of the inbox', async () => {
    const device = await phone()
    await send({ push: false })
    await send()
    await send()
    expect(await device.screen()).toEqual({ banners: ['Disk full', 'Disk full'], badge: 3 })
  })

  test.each(['disk', '😀'.repeat(64), ' spaced ', 'x'.repeat(64)])(
    'collapse_id %s replaces the previous banner, on every device',
    async (collapse_id) => {
      const devices = [await phone(), await browser()]
      await send({ title: 'Old', collapse_id })
      await send({ title: 'Other', collapse_id: 'another' })
      await send({ title: 'New', collapse_id })
      for (const device of devices) expect((await device.screen()).banners).toEqual(['Other', 'New'])
      const [apple, web] = devices as [ApplePhone, Browser]
      const header = String(requestsFor(apple)[0]?.headers['apns-collapse-id'])
      expect(Buffer.byteLength(header)).toBeLessThanOrEqual(64)
      expect(receivedBy(web)[0]?.headers.topic).toMatch(/^[A-Za-z0-9_-]{32}$/)
    },
  )

  test('R26 the largest possible notification fits into a push, and the inbox has all of it', async () => {
    const [apple, web] = [await phone(), await browser()]
    const largest = {
      title: '😀'.repeat(256),
      body: '日'.repeat(4096),
      metadata: { a: '\u0001'.repeat(4096), b: 'y'.repeat(4000) },
      actions: Array.from({ length: 10 }, (_, index) => ({
        id: `a${index}`,
        title: 'A',
        url: `https://example.org/${'u'.repeat(2000)}`,
        headers: { Authorization: 'z'.repeat(1000) },
        body: 'b'.repeat(1024),
      })),
    }
    const sent = await send(largest)
    expect(sent.delivery).toBe('all')
    const payload = requestsFor(apple)[0]?.payload ?? ''
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(4096)
    expect(receivedBy(web)[0]?.body.length).toBeLessThanOrEqual(4096)
    for (const push of [...(await apple.pushes()), ...(await web.pushes())]) {
      expect(push).toMatchObject({ notification_id: sent.id, shortened: expect.arrayContaining(['body']) })
    }
    expect((await app.get(`/notifications/${sent.id}`, user.token)).body).toMatchObject(largest)
  })

  test('an envelope is pushed whole, with a placeholder', async () => {
    const devices = [await phone(), await browser()]
    const encrypted = `pw1.0a1b2c3d.${'A'.repeat(3056)}`
    await app.post('/notifications', { encrypted }, user.token)
    for (const device of devices) {
      expect(await device.pushes()).toMatchObject([{ encrypted }])
      expect((await device.screen()).banners).toEqual(['Encrypted notification'])
    }
  })

  test('a ticket if the notification can be answered, and only then', async () => {
    const devices = [await phone(), await browser()]
    await send()
    const { id } = await send({ actions: [{ id: 'ok', title: 'OK' }] })
    for (const device of devices) {
      const [plainPush, question] = await device.pushes()
      expect(plainPush).not.toHaveProperty('answer_ticket')
      expect(question).toMatchObject({ notification_id: id, answer_ticket: expect.stringMatching(/^[\w-]{32}$/) })
    }
  })
})
