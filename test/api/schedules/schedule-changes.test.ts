// Changing a pending schedule, pausing it, and sending it now.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { DAILY, schedulesOf } from '../../support/schedules.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const { plan, read, inbox, jobs, later, pass, used, useUp } = schedulesOf(app)
const change = (id: number, patch: object, token = user.token) =>
  app.patch(`/notifications/scheduled/${id}`, patch, token)
const sendNow = (id: number, token = user.token) => app.post(`/notifications/scheduled/${id}/send`, undefined, token)
// The next full hour, or the next half past.
function nextAt(minute: 0 | 30): string {
  const at = new Date(app.clock.now())
  at.setUTCMinutes(minute, 0, 0)
  return new Date(at.getTime() + (at.getTime() > app.clock.now() ? 0 : 3_600_000)).toISOString()
}
const titles = async () => (await inbox(user)).map(({ title }: { title: string }) => title)

describe('PATCH /notifications/scheduled/{id}', () => {
  test('200 replaces members, removes them by null, keeps the others, and sends the result once', async () => {
    const id = await plan(user, { send_at: later(60), subtitle: 'Old', level: 'critical', actions: null })
    const { status, body } = await change(id, { title: 'New', subtitle: null, send_at: later(120) })
    expect([status, body.title, body.level, body.send_at]).toEqual([200, 'New', 'critical', later(120)])
    expect(body).not.toHaveProperty('subtitle')
    expect(body).toEqual(await read(user, id))
    expect(await jobs(user)).toHaveLength(1)
    await pass(60)
    expect(await titles()).toEqual([])
    await pass(60)
    expect(await titles()).toEqual(['New'])
  })

  test('200 a new recurrence starts at its first match; null makes it a single send at its next time', async () => {
    const id = await plan(user, { recurrence: DAILY })
    const { send_at } = await read(user, id)
    const hourly = { cron: '30 * * * *', timezone: 'UTC' }
    expect((await change(id, { recurrence: hourly })).body).toMatchObject({ recurrence: hourly, send_at: nextAt(30) })
    expect((await change(id, { recurrence: DAILY })).body.send_at).toBe(send_at)
    const single = (await change(id, { recurrence: null })).body
    expect([single.send_at, single.recurrence]).toEqual([send_at, undefined])
  })

  test('200 event streams learn of it', async () => {
    const id = await plan(user, { send_at: later(60) })
    const events = await openEvents(app.url, user.token)
    await change(id, { body: 'B2' })
    await eventually(() => expect(events.types()).toEqual(['schedule.updated']))
    events.close()
  })

  test('200 a person changes the schedule of a key, which stays that of the key', async () => {
    const key = await app.addKey(user, { permissions: { notifications: 'schedule' } })
    const members = { acknowledge: {}, callback_url: 'https://example.org/done' }
    const id = await plan({ token: key }, { send_at: later(60), ...members })
    expect((await change(id, { body: 'B2' })).status).toBe(200)
    expect((await app.get(`/notifications/scheduled/${id}`, key)).body).toMatchObject({ body: 'B2', ...members })
  })

  test('200 in an organization; another target is resolved, an unknown one refused', async () => {
    const org = await createOrganization(app)
    const path = `${org.path}/notifications/scheduled`
    const { id } = (await app.post(path, { title: 'T', body: 'B', send_at: later(60) }, org.owner.token)).body
    const members = [org.members[0]?.userId]
    const changed = await app.patch(`${path}/${id}`, { target: { members } }, org.owner.token)
    expect(changed.body.target).toEqual({ members })
    const refused = await app.patch(`${path}/${id}`, { target: { groups: ['none'] } }, org.owner.token)
    expectProblem(refused, 422, 'org.target_unknown')
  })

  test('400 and 422 the result must be valid, and then nothing is changed', async () => {
    const id = await plan(user, { send_at: later(60) })
    expectProblem(await change(id, {}), 400, 'request.body_required')
    expectProblem(await change(id, { title: null }), 422, 'request.validation_failed')
    expectProblem(await change(id, { url: 'javascript:0' }), 400, 'notification.invalid')
    expectProblem(await change(id, { acknowledge: { escalation: 'none' } }), 422, 'escalation.unknown')
    expectProblem(await change(id, { activity_slug: 'none' }), 422, 'notification.activity_not_found')
    const key = await app.addKey(user, { permissions: { notifications: 'schedule' } })
    const ofKey = await plan({ token: key }, { send_at: later(120) })
    await app.post('/activities', { slug: 'wash', name: 'Wash' }, user.token)
    const linked = await change(ofKey, { activity_slug: 'wash' }, key)
    expectProblem(linked, 403, 'integration_key.permission_denied')
    await app.del(`/notifications/scheduled/${ofKey}?purge=true`, key)
    const past = await change(id, { title: 'New', send_at: later(-1) })
    expectProblem(past, 400, 'scheduled_notification.invalid')
    expect(locations(past)).toEqual(['body.send_at'])
    expect((await read(user, id)).title).toBe('Backup')
    expect(await jobs(user)).toHaveLength(1)
  })

  test('400 a series cannot end before what it has sent', async () => {
    const id = await plan(user, { recurrence: { cron: '0 * * * *', timezone: 'UTC' } })
    for (let hour = 0; hour < 2; hour++) await pass(3600)
    const refused = await change(id, { recurrence: { ...DAILY, count: 2 } })
    expectProblem(refused, 400, 'scheduled_notification.invalid')
    expect(locations(refused)).toEqual(['body.recurrence.count'])
  })

  test('404 for a key that did not create it, 409 once it was sent, 422 for an unknown member', async () => {
    const id = await plan(user, { send_at: later(60) })
    expectProblem(await change(id, { title: 'X' }, user.defaultKey), 404, 'scheduled_notification.not_found')
    expectProblem(await change(id, { status: 'sent' }), 422, 'request.validation_failed')
    await pass(60)
    expectProblem(await change(id, { title: 'X' }), 409, 'scheduled_notification.not_pending')
    expectProblem(await sendNow(id), 409, 'scheduled_notification.not_pending')
  })
})

describe('paused', () => {
  test('200 a paused series sends nothing; resumed, it goes on with its next time and not with what it missed', async () => {
    const id = await plan(user, { recurrence: { cron: '0 * * * *', timezone: 'UTC' } })
    expect((await change(id, { paused: true })).body).toMatchObject({ paused: true, status: 'scheduled' })
    expect(await jobs(user)).toHaveLength(0)
    await pass(3 * 3600 + 60)
    expect(await titles()).toEqual([])
    const { body } = await change(id, { paused: false })
    expect(body).not.toHaveProperty('paused')
    expect(body.send_at).toBe(nextAt(0))
    await pass(3600)
    expect(await titles()).toHaveLength(1)
  })

  test('200 a single one resumed in time is sent; 400 once its time has passed, unless it gets a new one', async () => {
    const id = await plan(user, { send_at: later(60) })
    await change(id, { paused: true })
    expect((await change(id, { paused: false })).body.send_at).toBe(later(60))
    await change(id, { paused: true })
    await pass(61)
    expectProblem(await change(id, { paused: false }), 400, 'scheduled_notification.invalid')
    expect((await change(id, { paused: false, send_at: later(60) })).status).toBe(200)
    await pass(60)
    expect(await titles()).toHaveLength(1)
  })
})

describe('POST /notifications/scheduled/{id}/send', () => {
  test('200 a single one is sent at once and not again', async () => {
    const id = await plan(user, { send_at: later(60) })
    const { status, body } = await sendNow(id)
    expect([status, body.status, body.sent_at]).toEqual([200, 'sent', later(0)])
    expect(body).toMatchObject({ notification_id: expect.any(Number), delivery: 'none', reason: 'no_apns_token' })
    await pass(60)
    expect(await titles()).toHaveLength(1)
    expect(await used(user)).toBe(1)
  })

  test('200 tells why nothing was pushed', async () => {
    await app.put('/mutes', { source: 'nas', until: later(3600) }, user.token)
    const id = await plan(user, { send_at: later(3600), source: 'nas' })
    expect((await sendNow(id)).body).toMatchObject({ status: 'sent', delivery: 'none', reason: 'muted' })
  })

  test('200 a series sends one more; its next time and its count stay', async () => {
    const id = await plan(user, { recurrence: { ...DAILY, count: 2 } })
    const { send_at } = await read(user, id)
    const { body } = await sendNow(id)
    expect(body).toMatchObject({ status: 'scheduled', send_at, occurrence: 0, last_sent_at: later(0) })
    expect(await titles()).toHaveLength(1)
    await pass(86_400)
    expect(await read(user, id)).toMatchObject({ occurrence: 1 })
    expect(await titles()).toHaveLength(2)
  })

  test('200 of ten concurrent requests one sends it', async () => {
    const id = await plan(user, { send_at: later(60) })
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendNow(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await titles()).toHaveLength(1)
  })

  test('429 quota.exceeded, and it stays pending', async () => {
    const free = await app.addUser('free')
    const id = await plan(free, { send_at: later(60) })
    await useUp(free)
    expectProblem(await sendNow(id, free.token), 429, 'quota.exceeded')
    expect((await read(free, id)).status).toBe('scheduled')
    expect(await jobs(free)).toHaveLength(1)
  })
})
