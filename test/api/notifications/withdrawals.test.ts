// A notification that is read or deleted disappears from every device, and the badge follows.
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { type ApplePhone, addBrowser, addPhone, type Browser } from '../../support/devices/phone.ts'
import { BUNDLE_ID, usePushApp } from '../../support/fakes/push-services.ts'

const app = usePushApp()
let user: TestUser
let phone: ApplePhone
let browser: Browser
beforeEach(async () => {
  user = await app.addUser()
  phone = await addPhone(app, { app, user })
  browser = await addBrowser(app, { app, user })
})

const send = async (title: string): Promise<number> =>
  (await app.post('/notifications', { title, body: 'B' }, user.token)).body.id

async function markRead(body: object) {
  await app.post('/notifications/read', body, user.token)
  await app.runDueJobs()
}

// The channel of each device, with its last push error.
async function addresses(): Promise<Record<string, string>> {
  const { items } = (await app.get('/devices', user.token)).body
  return Object.fromEntries(
    items.map((item: Record<string, string>) => [
      item.name,
      item.last_push_error ? `${item.channel}, ${item.last_push_error}` : item.channel,
    ]),
  )
}

const screens = () => Promise.all([phone, browser].map((device) => device.screen()))
const everywhere = (banners: string[], badge: number) => Array(2).fill({ banners, badge })

describe('marking as read', () => {
  test('withdraws the banner from every device and lowers the badge', async () => {
    const [, two] = [await send('One'), await send('Two'), await send('Three')]
    expect(await screens()).toEqual(everywhere(['One', 'Two', 'Three'], 3))
    await markRead({ ids: [two] })
    expect(await screens()).toEqual(everywhere(['One', 'Three'], 2))
    const [four, five] = [await send('Four'), await send('Five')]
    await markRead({ ids: [four, five] })
    expect(await screens()).toEqual(everywhere(['One', 'Three'], 2))
    await markRead({ all: true })
    expect(await screens()).toEqual(everywhere([], 0))
  })

  test('is a silent background push for Apple, without alert, sound or badge in aps', async () => {
    const id = await send('One')
    await markRead({ ids: [id] })
    const request = app.apns.requests.findLast(({ token }) => token === phone.token)
    expect(request?.headers).toMatchObject({
      'apns-push-type': 'background',
      'apns-priority': '5',
      'apns-topic': BUNDLE_ID,
    })
    expect((await phone.pushes()).at(-1)).toEqual({ aps: { 'content-available': 1 }, withdraw: [id], badge: 0 })
    expect((await browser.pushes()).at(-1)).toEqual({ type: 'withdraw', withdraw: [id], badge: 0 })
    const received = app.webPush.received.findLast(({ path }) => path === browser.path)
    expect(received?.headers).toMatchObject({ urgency: 'low', ttl: '3600' })
  })

  test('a notification that was read before is not withdrawn again', async () => {
    const id = await send('One')
    await markRead({ ids: [id] })
    const before = (await phone.pushes()).length
    await markRead({ ids: [id] })
    await markRead({ all: true })
    expect(await phone.pushes()).toHaveLength(before)
  })

  test('reaches no device of another account', async () => {
    const other = await app.addUser()
    const stranger = await addPhone(app, { app, user: other })
    await app.post('/notifications', { title: 'Theirs', body: 'B' }, other.token)
    const id = await send('Mine')
    await markRead({ ids: [id] })
    expect(await stranger.screen()).toEqual({ banners: ['Theirs'], badge: 1 })
  })

  test('is pushed once: a failed withdrawal is not retried', async () => {
    const id = await send('One')
    app.apns.script(phone.token, { status: 429, reason: 'TooManyRequests' })
    app.webPush.answerWith({ status: 500 })
    await markRead({ ids: [id] })
    app.advanceSeconds(3600)
    await app.runDueJobs()
    expect((await phone.screen()).banners).toEqual(['One'])
    expect(await addresses()).toEqual({ Phone: 'apns', Browser: 'web_push' })
  })

  test('R27 a device that is gone loses its address, and its error is recorded', async () => {
    const id = await send('One')
    app.advanceSeconds(60)
    app.apns.script(phone.token, { status: 410, reason: 'Unregistered', timestamp: app.clock.now() })
    app.webPush.answerWith({ status: 410 })
    await markRead({ ids: [id] })
    expect(await addresses()).toEqual({
      Phone: 'stream, Unregistered',
      Browser: 'stream, push service answered 410',
    })
  })
})

describe('deleting', () => {
  test('an unread notification withdraws its banner from every device', async () => {
    const [one] = [await send('One'), await send('Two')]
    await app.del(`/notifications/${one}`, user.token)
    await app.runDueJobs()
    expect(await screens()).toEqual(everywhere(['Two'], 1))
  })

  test('a read notification withdraws nothing', async () => {
    const id = await send('One')
    await markRead({ ids: [id] })
    const before = (await phone.pushes()).length
    await app.del(`/notifications/${id}`, user.token)
    await app.runDueJobs()
    expect(await phone.pushes()).toHaveLength(before)
  })

  test('a notification whose push waits for a retry is not pushed any more', async () => {
    app.apns.script(phone.token, { status: 429, reason: 'TooManyRequests', retryAfter: '0' })
    const id = await send('One')
    await app.del(`/notifications/${id}`, user.token)
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect((await phone.screen()).banners).toEqual([])
  })
})
