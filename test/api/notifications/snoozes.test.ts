// Snoozes: a notification leaves the inbox until a time, then it is unread again and pushed like a new one.
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { schedulesOf } from '../../support/schedules.ts'

const app = usePushApp()
const DEVICE_TOKEN = 'ab'.repeat(32)
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
  const apns = { device_token: DEVICE_TOKEN, environment: 'sandbox' }
  await app.put('/devices/phone', { name: 'Phone', platform: 'ios', apns }, user.token)
})

const { later, pass, used } = schedulesOf(app)
const send = async (members: object = {}): Promise<number> =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...members }, user.token)).body.id
const snooze = (id: number, seconds = 3600, token = user.token) =>
  app.put(`/notifications/${id}/snooze`, { until: later(seconds) }, token)
const wake = (id: number) => app.del(`/notifications/${id}/snooze`, user.token)
const read = async (id: number) => (await app.get(`/notifications/${id}`, user.token)).body
const listed = async (query = '', token = user.token): Promise<number[]> =>
  (await app.get(`/notifications${query}`, token)).body.items.map(({ id }: { id: number }) => id)
const unread = async () => (await app.get('/notifications/unread-count', user.token)).body.count
const pushes = async (id: number) =>
  (await app.get(`/notifications/${id}/timeline`, user.token)).body.items.filter(
    ({ event }: { event: string }) => event === 'push_sent',
  ).length

describe('a snoozed notification', () => {
  test('leaves every list and the unread count, and is listed with ?snoozed=true', async () => {
    const actions = [{ id: 'yes', title: 'Yes' }]
    const [id, other] = [await send({ actions, source: 'ci' }), await send()]
    const until = later(3600)
    expect(await snooze(id)).toMatchObject({ status: 200, body: { id, snoozed_until: until } })
    expect(await listed()).toEqual([other])
    expect(await listed('?waiting=true')).toEqual([])
    expect(await listed('?source=ci')).toEqual([])
    expect(await listed('?snoozed=true')).toEqual([id])
    await snooze(other)
    const page = (await app.get('/notifications?snoozed=true&limit=1', user.token)).body
    expect(page.items).toMatchObject([{ id: other }])
    expect(await listed(`?snoozed=true&limit=1&cursor=${page.next_cursor}`)).toEqual([id])
    await wake(other)
    expect(await unread()).toBe(1)
    expect(await read(id)).toMatchObject({ snoozed_until: until })
  })

  test('comes back unread at its time, pushed again and not charged', async () => {
    const id = await send()
    await snooze(id, 30 * 3600)
    await pass(30 * 3600 - 1)
    expect(await listed()).toEqual([])
    await pass(1)
    expect(await listed()).toEqual([id])
    expect(await unread()).toBe(1)
    expect((await read(id)).snoozed_until).toBeUndefined()
    expect(await pushes(id)).toBe(2)
    // The first send was counted for the day before.
    expect(await used(user)).toBe(0)
    // It is not older than its second push, which would otherwise have expired already.
    const [first, second] = app.apns.requests.filter(({ payload }) => JSON.parse(payload).notification_id === id)
    expect(second?.headers['apns-expiration']).toBe(String(Math.floor(app.clock.now() / 1000) + 86_400))
    expect(second?.headers['apns-id']).not.toBe(first?.headers['apns-id'])
  })

  test('is told to clients, at both ends', async () => {
    const id = await send()
    const events = await openEvents(app.url, user.token)
    const until = later(60)
    await snooze(id, 60)
    await pass(60)
    await eventually(() => {
      expect(events.events.map(({ event, data }) => [event, data.data])).toEqual([
        ['notification.read', { ids: [id] }],
        ['notification.snoozed', { id, until }],
        ['notification.unread', { ids: [id] }],
        ['notification.woken', { id }],
      ])
    })
    events.close()
  })

  test('can be snoozed for longer or shorter: it comes back once, at the last time given', async () => {
    const id = await send()
    await snooze(id, 60)
    await snooze(id, 7200)
    await pass(60)
    expect(await listed()).toEqual([])
    await snooze(id, 60)
    await pass(60)
    expect(await listed()).toEqual([id])
    await pass(7200)
    expect(await pushes(id)).toBe(2)
  })

  test('comes back unread and without a push when the snooze is ended', async () => {
    const id = await send()
    await snooze(id)
    expect(await wake(id)).toMatchObject({ status: 200, body: { id } })
    expect(await listed()).toEqual([id])
    expect(await unread()).toBe(1)
    await pass(3600)
    expect(await pushes(id)).toBe(1)
    expect((await wake(id)).status).toBe(200)
  })

  test('that was not snoozed stays as it is when its snooze is ended', async () => {
    const id = await send()
    await app.post('/notifications/read', { ids: [id] }, user.token)
    expect((await wake(id)).status).toBe(200)
    expect(await unread()).toBe(0)
    expect((await read(id)).read_at).toBe(later(0))
  })

  test('comes back with a push that is tried again if the push service refuses it', async () => {
    const id = await send()
    await snooze(id, 30 * 3600)
    // The withdrawal of its banner.
    await app.runDueJobs()
    app.apns.script(DEVICE_TOKEN, { status: 429, reason: 'TooManyRequests', retryAfter: '0' })
    await pass(30 * 3600)
    await pass(60)
    const pushed = app.apns.requests.filter(({ payload }) => JSON.parse(payload).notification_id === id)
    expect(pushed.map(({ isAccepted }) => isAccepted)).toEqual([true, false, true])
  })

  test('is not pushed again if it was answered meanwhile, if its source is muted, or if its sender wanted no push', async () => {
    const answered = await send({ actions: [{ id: 'yes', title: 'Yes' }] })
    const muted = await send({ source: 'ci' })
    const quiet = await send({ push: false })
    for (const id of [answered, muted, quiet]) await snooze(id, 60)
    await app.post(`/notifications/${answered}/answer`, { action_id: 'yes' }, user.token)
    await app.put('/mutes', { source: 'ci', until: later(3600) }, user.token)
    await pass(60)
    expect(await listed()).toEqual([quiet, muted, answered])
    expect(await Promise.all([answered, muted, quiet].map(pushes))).toEqual([1, 1, 0])
  })

  test('can be deleted', async () => {
    const id = await send()
    await snooze(id, 60)
    expect((await app.del(`/notifications/${id}`, user.token)).status).toBe(204)
    await pass(60)
    expect(await listed()).toEqual([])
    expect(await unread()).toBe(0)
  })

  test('of an organization is snoozed by one member only', async () => {
    const org = await createOrganization(app, 2)
    const [one, other] = org.members as [TestUser, TestUser]
    await app.post(`${org.path}/notifications`, { title: 'T', body: 'B' }, org.owner.token)
    const [entry] = await listed('', one.token)
    expect((await snooze(entry as number, 60, one.token)).status).toBe(200)
    expect(await listed('', one.token)).toEqual([])
    expect(await listed('', other.token)).toHaveLength(1)
    await pass(60)
    expect(await listed('', one.token)).toEqual([entry])
  })
})

describe('a snooze is refused', () => {
  test('for an alert that still repeats', async () => {
    const id = await send({ acknowledge: {} })
    expectProblem(await snooze(id), 409, 'notification.ringing')
    await app.post(`/notifications/receipts/${id}/cancel`, {}, user.token)
    expect((await snooze(id)).status).toBe(200)
  })

  test('for an alert of an organization that still repeats', async () => {
    const org = await createOrganization(app, 1)
    const [{ token }] = org.members as [TestUser]
    const alert = { title: 'T', body: 'B', acknowledge: {} }
    const { id: head } = (await app.post(`${org.path}/notifications`, alert, org.owner.token)).body
    const [entry] = (await listed('', token)) as [number]
    expectProblem(await snooze(entry, 60, token), 409, 'notification.ringing')
    await app.post(`${org.path}/notifications/receipts/${head}/cancel`, {}, org.owner.token)
    expect((await snooze(entry, 60, token)).status).toBe(200)
  })

  test.each([-1, 0, 30 * 86_400 + 1])('until %i seconds from now', async (seconds) => {
    const refused = await snooze(await send(), seconds)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['body.until'])
  })

  test('beyond 30 days, which are allowed', async () => {
    expect((await snooze(await send(), 30 * 86_400)).status).toBe(200)
  })

  test('for a notification that does not exist or belongs to someone else', async () => {
    const id = await send()
    const { token } = await app.addUser()
    expectProblem(await snooze(id, 60, token), 404, 'notification.not_found')
    expectProblem(await app.del(`/notifications/${id}/snooze`, token), 404, 'notification.not_found')
  })
})
