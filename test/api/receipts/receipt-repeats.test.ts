// R29: an alert is repeated on every device until it is acknowledged.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { plusSeconds } from '../../../src/domain/instant.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { notificationPushId } from '../../../src/push/payload/push-id.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { recordDelivery } from '../../../src/store/receipts.ts'
import type { TestUser } from '../../support/app.ts'
import { claimAnyJobs } from '../../support/database/claim-jobs.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { type ApplePhone, addBrowser, addPhone, type Browser } from '../../support/devices/phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'

const app = usePushApp()
let user: TestUser
let phone: ApplePhone
let browser: Browser
beforeEach(async () => {
  user = await app.addUser()
  phone = await addPhone(app, { app, user })
  browser = await addBrowser(app, { app, user })
})

const alert = { title: 'Fire', body: 'in the server room' }
const send = async (acknowledge: object, members: object = {}): Promise<number> =>
  (await app.post('/notifications', { ...alert, acknowledge, ...members }, user.defaultKey)).body.id
const receiptOf = async (id: number) => (await app.get(`/notifications/receipts/${id}`, user.token)).body
const alertsAt = ({ token }: ApplePhone) =>
  app.apns.requests.filter((request) => request.token === token && request.headers['apns-push-type'] === 'alert')
const received = () => app.webPush.received.filter(({ path }) => path === browser.path)

const BUSY = { status: 429, reason: 'TooManyRequests', retryAfter: '0' }

async function pass(seconds: number) {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

test('the answer to the sender has the receipt after the first push', async () => {
  const { body } = await app.post('/notifications', { ...alert, acknowledge: {} }, user.defaultKey)
  expect(body.receipt).toMatchObject({ last_delivered_at: body.created_at, repeats_sent: 0 })
  expect(body.receipt).toEqual(await receiptOf(body.id))
})

test('an alert that no device has taken yet has no time of a last delivery', async () => {
  app.apns.script(phone.token, BUSY)
  app.webPush.answerWith({ status: 500 })
  const id = await send({})
  expect(await receiptOf(id)).not.toHaveProperty('last_delivered_at')
  app.webPush.answerWith({ status: 201 })
  await pass(30)
  expect(await receiptOf(id)).toMatchObject({ last_delivered_at: new Date(app.clock.now()).toISOString() })
})

test('a delivery that is recorded after a later one does not move the time of the last one back', async () => {
  const id = await send({})
  const { last_delivered_at } = await receiptOf(id)
  const earlier = plusSeconds(app.clock.now(), -5)
  await app.app.ctx.db.transact((tx) => recordDelivery(tx, user.userId, id as NotificationId, earlier))
  expect(await receiptOf(id)).toMatchObject({ last_delivered_at })
})

describe.skipIf(sqliteSuffices())('R29 an alert that is not acknowledged', () => {
  test('repeats 50 times on every device, at its interval, and expires at its end', async () => {
    const id = await send({ repeat_seconds: 30, expire_seconds: 10_800 })
    for (let repeat = 1; repeat <= LIMITS.receipt.maxRepeats; repeat++) {
      await pass(29)
      expect(alertsAt(phone)).toHaveLength(repeat)
      await pass(1)
      expect(alertsAt(phone)).toHaveLength(repeat + 1)
    }
    expect(await receiptOf(id)).toMatchObject({
      status: 'active',
      repeats_sent: 50,
      last_delivered_at: new Date(app.clock.now()).toISOString(),
    })
    await pass(10_800 - 1500 - 1)
    expect([alertsAt(phone).length, received().length]).toEqual([51, 51])
    expect((await receiptOf(id)).status).toBe('active')
    await pass(1)
    expect((await receiptOf(id)).status).toBe('expired')
    expect((await phone.screen()).banners).toEqual(['Fire'])
    const me = (await app.get('/auth/me', user.token)).body
    expect(me.notifications_used).toBe(1)
  })

  test('is repeated once by a job that runs twice, as that of a node that hung may', async () => {
    const id = await send({ repeat_seconds: 30 })
    await app.app.ctx.db.transact((tx) =>
      tx.execute(sql`insert into jobs (kind, payload, run_at, attempt) select kind, payload, run_at, 0 from jobs
        where kind = 'repeat-receipt' and payload like ${`%"notificationId":${id},%`}`),
    )
    await pass(30)
    expect(alertsAt(phone)).toHaveLength(2)
    expect(await receiptOf(id)).toMatchObject({ repeats_sent: 1 })
    await pass(30)
    expect(alertsAt(phone)).toHaveLength(3)
  })

  test('is not repeated at the time of its expiry', async () => {
    const id = await send({ repeat_seconds: 30, expire_seconds: 90 })
    for (const _ of Array(5)) await pass(30)
    expect(alertsAt(phone)).toHaveLength(3)
    expect(await receiptOf(id)).toMatchObject({ status: 'expired', repeats_sent: 2 })
    const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
    const events = items.filter(({ event }: { event: string }) => ['repeated', 'expired'].includes(event))
    expect(events).toMatchObject([
      { event: 'repeated', detail: '1' },
      { event: 'repeated', detail: '2' },
      { event: 'expired' },
    ])
  })

  test('shows as one banner, and each repeat is a separate push', async () => {
    const id = await send({ repeat_seconds: 30 })
    await pass(30)
    await pass(30)
    const requests = alertsAt(phone)
    expect(requests.map(({ headers }) => headers['apns-id'])).toEqual(
      [0, 1, 2].map((repeat) => notificationPushId(id as NotificationId, phone.id, repeat)),
    )
    expect(new Set(requests.map(({ headers }) => headers['apns-collapse-id']))).toEqual(new Set([`receipt-${id}`]))
    expect(new Set(received().map(({ headers }) => headers.topic)).size).toBe(1)
    for (const device of [phone, browser]) expect(await device.screen()).toEqual({ banners: ['Fire'], badge: 1 })
  })

  test('keeps the collapse id of its sender', async () => {
    await send({ repeat_seconds: 30 }, { collapse_id: 'db' })
    await pass(30)
    expect(alertsAt(phone).map(({ headers }) => headers['apns-collapse-id'])).toEqual(['db', 'db'])
  })

  test('reaches a device registered after it started', async () => {
    await send({ repeat_seconds: 30 })
    const late = await addPhone(app, { app, user, name: 'New phone' })
    await pass(30)
    expect(alertsAt(late)).toHaveLength(1)
  })
})

describe.skipIf(sqliteSuffices())('R29 after downtime', () => {
  test('missed repeats are sent once, and the interval restarts from there', async () => {
    const id = await send({ repeat_seconds: 30 })
    await pass(30)
    await pass(615)
    expect([alertsAt(phone).length, (await receiptOf(id)).repeats_sent]).toEqual([3, 2])
    await pass(29)
    expect(alertsAt(phone)).toHaveLength(3)
    await pass(1)
    expect(alertsAt(phone)).toHaveLength(4)
  })

  test('beyond its expiry, the alert only expires', async () => {
    const id = await send({ repeat_seconds: 30, expire_seconds: 60 })
    await pass(7200)
    expect(alertsAt(phone)).toHaveLength(1)
    expect(await receiptOf(id)).toMatchObject({ status: 'expired', repeats_sent: 0 })
  })
})

describe.skipIf(sqliteSuffices())('R29 repeats stop when', () => {
  test.each<[string, (id: number) => Promise<unknown>]>([
    ['it is acknowledged', () => browser.answer('Fire', 'pw_ack')],
    ['it is canceled', (id) => app.post(`/notifications/receipts/${id}/cancel`, undefined, user.token)],
    ['its tag is canceled', () => app.post('/notifications/receipts/cancel', { tag: 'fire' }, user.token)],
    ['it is deleted', (id) => app.del(`/notifications/${id}`, user.token)],
  ])('%s', async (_what, end) => {
    const id = await send({ repeat_seconds: 30 }, { tags: ['fire'] })
    await pass(30)
    await end(id)
    for (const _ of Array(4)) await pass(30)
    expect(alertsAt(phone)).toHaveLength(2)
    expect((await receiptOf(id)).repeats_sent).toBe(1)
  })

  test('it is acknowledged while a push waits for a retry', async () => {
    const id = await send({ repeat_seconds: 30 })
    app.apns.script(phone.token, BUSY)
    await pass(30)
    await browser.answer('Fire', 'pw_ack')
    await pass(600)
    expect(alertsAt(phone)).toHaveLength(2)
    expect((await receiptOf(id)).status).toBe('acknowledged')
  })

  test('a newer alert with the same collapse id supersedes it', async () => {
    app.apns.script(phone.token, BUSY)
    await send({ repeat_seconds: 30 }, { collapse_id: 'db', title: 'Old' })
    await send({ repeat_seconds: 30 }, { collapse_id: 'db', title: 'New' })
    await pass(30)
    for (const device of [phone, browser]) expect((await device.screen()).banners).toEqual(['New'])
  })
})

test('acknowledging withdraws the banner from other devices; canceling and expiring do not', async () => {
  const banners = async () =>
    (await Promise.all([phone, browser].map((device) => device.screen()))).map((s) => s.banners)
  await send({}, { title: 'Heard' })
  await send({ expire_seconds: 60 }, { title: 'Unheard' })
  const canceled = await send({}, { title: 'Canceled' })
  await phone.answer('Heard', 'pw_ack')
  await app.post(`/notifications/receipts/${canceled}/cancel`, undefined, user.token)
  await pass(60)
  expect(await banners()).toEqual(Array(2).fill(['Unheard', 'Canceled']))
})

test('deleting an alert that was read withdraws the banner of its repeat', async () => {
  const id = await send({ repeat_seconds: 30 })
  await app.post('/notifications/read', { ids: [id] }, user.token)
  await pass(30)
  expect(await phone.screen()).toEqual({ banners: ['Fire'], badge: 0 })
  await app.del(`/notifications/${id}`, user.token)
  await pass(0)
  expect((await phone.screen()).banners).toEqual([])
})

describe.skipIf(sqliteSuffices())('a push that fails', () => {
  test('is retried until the next repeat, which replaces it', async () => {
    const id = await send({ repeat_seconds: 30 })
    app.apns.script(phone.token, BUSY, BUSY, BUSY, BUSY)
    // The first repeat is tried at 30, 40 and 50 seconds; the retry at 80 is replaced by the second repeat at 60.
    for (const _ of Array(8)) await pass(10)
    const ids = alertsAt(phone).map(({ headers }) => headers['apns-id'])
    const repeats = ids.map((name) =>
      [0, 1, 2].find((n) => notificationPushId(id as NotificationId, phone.id, n) === name),
    )
    expect(repeats).toEqual([0, 1, 1, 1, 2, 2])
    expect((await receiptOf(id)).repeats_sent).toBe(2)
  })
})

test.runIf(isPostgres())(
  'R16 R17 a node that loses its lease repeats nothing; the node that takes over does, once',
  async () => {
    const node = await app.startNode({}, app.database)
    onTestFinished(() => node.stop())
    const id = await send({ repeat_seconds: 30 })
    app.advanceSeconds(30)
    // Claimed by a node that dies before it runs them.
    const { db } = app.app.ctx
    expect((await db.transact((tx) => claimAnyJobs(tx, 100, app.clock.now()))).length).toBeGreaterThan(0)
    await node.runDueJobs()
    expect((await receiptOf(id)).repeats_sent).toBe(0)
    app.advanceSeconds(15)
    await Promise.all([node.runDueJobs(), app.runDueJobs()])
    await Promise.all([node.runDueJobs(), app.runDueJobs()])
    expect([alertsAt(phone).length, (await receiptOf(id)).repeats_sent]).toEqual([2, 1])
  },
)

test('R10 a finished receipt is kept for 7 days, an active one is never deleted', async () => {
  const id = await send({ expire_seconds: 60 })
  await pass(60)
  await app.del(`/notifications/${id}`, user.token)
  const readAfterHousekeeping = async (seconds: number) => {
    app.advanceSeconds(seconds)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    return app.get(`/notifications/receipts/${id}`, user.token)
  }
  expect((await readAfterHousekeeping(7 * 86_400)).body).toMatchObject({ status: 'expired' })
  await app.app.ctx.db.transact((tx) =>
    tx.execute(sql`update receipts set status = 'active' where user_id = ${user.userId} and notification_id = ${id}`),
  )
  expect((await readAfterHousekeeping(1)).status).toBe(200)
  await app.app.ctx.db.transact((tx) =>
    tx.execute(sql`update receipts set status = 'expired' where user_id = ${user.userId} and notification_id = ${id}`),
  )
  expectProblem(await readAfterHousekeeping(1), 404, 'notification_receipt.not_found')
})
