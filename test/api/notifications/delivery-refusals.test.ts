// R23, R27, R34 through the API: for any answer of a push service, the notification is stored, the 201 reports the
// delivery correctly, the timeline has the reason, and an address is deleted only when it is invalid.
import { beforeEach, describe, expect, test } from 'vitest'
import { POLICIES } from '../../../src/push/channels/apns/reasons.ts'
import type { TestUser } from '../../support/app.ts'
import { type ApplePhone, addBrowser, addPhone } from '../../support/devices/phone.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'

const app = usePushApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
  // Past the time for which an earlier refusal has opened the circuit breaker.
  app.advanceSeconds(301)
})

type Entry = { event: string; device?: string; detail?: string }
type Ending = { event: 'push_rejected' | 'retried'; channel: string }
const REJECTED: Ending = { event: 'push_rejected', channel: 'apns' }
const RETRIED: Ending = { event: 'retried', channel: 'apns' }
const DELETED: Ending = { event: 'push_rejected', channel: 'stream' }

const ENDINGS: Record<string, Ending> = {
  '400 BadDeviceToken': DELETED,
  '400 DeviceTokenNotForTopic': REJECTED,
  '400 BadTopic': REJECTED,
  '400 MissingTopic': REJECTED,
  '400 TopicDisallowed': REJECTED,
  '400 BadCollapseId': REJECTED,
  '400 BadExpirationDate': REJECTED,
  '400 BadMessageId': REJECTED,
  '400 BadPriority': REJECTED,
  '400 DuplicateHeaders': REJECTED,
  '400 InvalidPushType': REJECTED,
  '400 MissingDeviceToken': REJECTED,
  '400 PayloadEmpty': REJECTED,
  '400 IdleTimeout': RETRIED,
  '403 ExpiredProviderToken': REJECTED,
  '403 InvalidProviderToken': REJECTED,
  '403 MissingProviderToken': REJECTED,
  '403 BadCertificate': REJECTED,
  '403 BadCertificateEnvironment': REJECTED,
  '403 BadEnvironmentKeyIdInToken': REJECTED,
  '403 Forbidden': REJECTED,
  '403 UnrelatedKeyIdInToken': REJECTED,
  '404 BadPath': REJECTED,
  '405 MethodNotAllowed': REJECTED,
  '410 Unregistered': DELETED,
  '410 ExpiredToken': DELETED,
  '413 PayloadTooLarge': REJECTED,
  '429 TooManyRequests': RETRIED,
  '429 TooManyProviderTokenUpdates': RETRIED,
  '500 InternalServerError': RETRIED,
  '503 ServiceUnavailable': RETRIED,
  '503 Shutdown': RETRIED,
}

const send = () => app.post('/notifications', { title: 'Disk full', body: '2 % left' }, user.token)
const devices = async () => (await app.get('/devices', user.token)).body.items
const lastEntry = async (id: number): Promise<Entry> =>
  (await app.get(`/notifications/${id}/timeline`, user.token)).body.items.at(-1)

async function expectRefused(reason: string, { event, channel }: Ending, device = 'Phone') {
  const { status, body } = await send()
  expect([status, body.delivery, body.reason]).toEqual([201, 'none', 'apns_rejected'])
  expect((await app.get(`/notifications/${body.id}`, user.token)).status).toBe(200)
  expect(await lastEntry(body.id)).toMatchObject({ event, device, detail: reason })
  expect(await devices()).toMatchObject([{ channel, last_push_error: reason, last_push_at: body.created_at }])
}

test('R23 the table lists every reason that the service knows', () => {
  expect(Object.keys(ENDINGS).sort()).toEqual(Object.keys(POLICIES).sort())
})

describe('R23 APNs', () => {
  test.each(Object.entries(ENDINGS))('%s: 201, stored, and the timeline has the reason', async (pair, ending) => {
    const [status, reason = ''] = pair.split(' ')
    const { token } = await addPhone(app, { app, user })
    const timestamp = app.clock.now()
    app.apns.script(token, ...Array(3).fill({ status: Number(status), reason, timestamp }))
    await expectRefused(reason, ending)
  })

  test('200 after a refusal: the device works again and its error is cleared', async () => {
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, { status: 400, reason: 'BadTopic' })
    await send()
    expect((await send()).body.delivery).toBe('all')
    expect((await devices())[0]).not.toHaveProperty('last_push_error')
    expect((await phone.screen()).banners).toHaveLength(1)
  })

  test('a refused device does not affect the others', async () => {
    const [bad, good] = [await addPhone(app, { app, user, name: 'Bad' }), await addPhone(app, { app, user })]
    app.apns.script(bad.token, { status: 400, reason: 'BadDeviceToken' })
    expect((await send()).body).toMatchObject({ delivery: 'partial', reason: 'apns_rejected' })
    expect((await send()).body).toMatchObject({ delivery: 'all' })
    expect((await good.screen()).banners).toHaveLength(2)
  })
})

describe('R27 tokens are deleted only when they are invalid', () => {
  const gone = (phone: ApplePhone, timestamp: number) =>
    app.apns.script(phone.token, { status: 410, reason: 'Unregistered', timestamp })

  test('a 410 with a time before the registration keeps the token', async () => {
    const phone = await addPhone(app, { app, user })
    gone(phone, app.clock.now() - 1)
    await expectRefused('Unregistered', REJECTED)
    expect((await send()).body.delivery).toBe('all')
  })

  test('a 410 with a time at or after the registration deletes the token', async () => {
    const phone = await addPhone(app, { app, user })
    gone(phone, app.clock.now())
    await expectRefused('Unregistered', DELETED)
    expect((await send()).body).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })
  })

  test('a device without a token works again once it registers a new one', async () => {
    const phone = await addPhone(app, { app, user })
    gone(phone, app.clock.now())
    await send()
    const apns = { device_token: 'c'.repeat(64), environment: 'sandbox' }
    await app.put(`/devices/${phone.id}`, { name: 'Phone', platform: 'ios', apns }, user.token)
    expect((await send()).body.delivery).toBe('all')
  })

  test('many DeviceTokenNotForTopic delete no token', async () => {
    const phones = await Promise.all(Array.from({ length: 10 }, () => addPhone(app, { app, user })))
    for (const { token } of phones) app.apns.script(token, { status: 400, reason: 'DeviceTokenNotForTopic' })
    expect((await send()).body).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
    expect((await devices()).map(({ channel }: { channel: string }) => channel)).toEqual(Array(10).fill('apns'))
    expect((await send()).body.delivery).toBe('all')
  })
})

describe('R34 Web Push', () => {
  const rejected = { ...REJECTED, channel: 'web_push' }
  const retried = { ...RETRIED, channel: 'web_push' }
  test.each<[number, Ending]>([
    [301, rejected],
    [400, rejected],
    [401, rejected],
    [403, rejected],
    [413, rejected],
    [404, DELETED],
    [410, DELETED],
    [429, retried],
    [500, retried],
    [503, retried],
  ])('%i: 201, stored, and the timeline has the reason', async (status, ending) => {
    await addBrowser(app, { app, user })
    app.webPush.answerWith({ status })
    await expectRefused(`push service answered ${status}`, ending, 'Browser')
  })

  test('a reset connection is retried, and the address is kept', async () => {
    await addBrowser(app, { app, user })
    app.webPush.answerWith('break off')
    await expectRefused('push service: connection broke off', retried, 'Browser')
  })
})
