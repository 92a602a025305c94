// Quiet hours: what is held, what passes, the digest at their end, and "do not disturb until".
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { addActivityPhone } from '../../support/devices/activity-phone.ts'
import { type ApplePhone, addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { schedulesOf } from '../../support/schedules.ts'

const app = usePushApp()
const { plan, read, later, pass, at, used } = schedulesOf(app)
const NIGHT = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '22:00', to: '07:00' }
const HOUR = 3600

let user: TestUser
let phone: ApplePhone
// Each test begins at 20:00 UTC, later than the one before.
beforeEach(async () => {
  const day = 86_400_000
  await at(new Date((Math.floor(app.clock.now() / day) + 2) * day + 20 * HOUR * 1000).toISOString())
  user = await app.addUser()
  phone = await addPhone(app, { app, user })
})

const setHours = (members: object = {}, token = user.token) =>
  app.put('/auth/me/quiet-hours', { timezone: 'UTC', windows: [NIGHT], ...members }, token)
const beQuiet = (seconds: number) => app.post('/auth/me/quiet-hours/now', { until: later(seconds) }, user.token)
const hours = async () => (await app.get('/auth/me/quiet-hours', user.token)).body
const send = async (members: object = {}, token = user.token) =>
  (await app.post('/notifications', { title: 'T', body: 'B', ...members }, token)).body
const timeline = async (id: number, token = user.token) =>
  (await app.get(`/notifications/${id}/timeline`, token)).body.items
const inbox = async (token = user.token) => (await app.get('/notifications', token)).body.items
const digests = async (token = user.token) =>
  (await inbox(token)).filter(({ source }: { source?: string }) => source === 'quiet-hours')
const unread = async () => (await app.get('/notifications/unread-count', user.token)).body.count
// From 20:00 to 23:00, and from then to 07:00.
const untilNight = () => pass(3 * HOUR)
const untilMorning = () => pass(8 * HOUR)

describe('in quiet hours', () => {
  beforeEach(async () => {
    await setHours()
    await untilNight()
  })

  test('a message is stored, not pushed and not charged; sender and timeline learn why', async () => {
    const sent = await send()
    expect(sent).toMatchObject({ pushed: false, delivery: 'none', reason: 'quiet_hours' })
    expect(await used(user)).toBe(0)
    expect(await unread()).toBe(1)
    expect(await timeline(sent.id)).toMatchObject([
      { event: 'accepted' },
      { event: 'stored' },
      { event: 'quiet_hours', detail: 'held until 07:00' },
    ])
  })

  test('time-sensitive and critical ones and alerts pass, unless only critical ones may', async () => {
    expect(await send({ level: 'time-sensitive' })).toMatchObject({ delivery: 'all' })
    await setHours({ passes: 'critical' })
    expect(await send({ level: 'time-sensitive' })).toMatchObject({ reason: 'quiet_hours' })
    expect(await send({ level: 'critical' })).toMatchObject({ delivery: 'all' })
    expect(await send({ acknowledge: {} })).toMatchObject({ delivery: 'all' })
    expect(await send({ push: false })).toMatchObject({ reason: 'push_disabled' })
  })

  test('a muted message is muted', async () => {
    await app.put('/mutes', { source: 'ci', until: later(3600) }, user.token)
    expect(await send({ source: 'ci' })).toMatchObject({ reason: 'muted' })
  })

  test('a dry run names the reason, and a schedule and a door obey as well', async () => {
    const { body } = await app.post('/notifications?dry_run=true', { title: 'T', body: 'B' }, user.token)
    expect(body.would).toMatchObject({ pushes: [], reason: 'quiet_hours' })
    const id = await plan(user, { send_at: later(60) })
    await pass(60)
    expect(await read(user, id)).toMatchObject({ status: 'sent', delivery: 'none', reason: 'quiet_hours' })
    await app.post('/ntfy/alerts', 'Backup done', user.defaultKey)
    expect((await inbox())[0]).toMatchObject({ title: 'alerts', pushed: false })
  })

  test('a snooze that ends is held, and told by the digest', async () => {
    const { id } = await send({ level: 'critical' })
    await app.put(`/notifications/${id}/snooze`, { until: later(60) }, user.token)
    const quiet = await send({ level: 'time-sensitive' })
    await app.put(`/notifications/${quiet.id}/snooze`, { until: later(60) }, user.token)
    await setHours({ passes: 'critical' })
    await pass(60)
    expect((await timeline(quiet.id)).at(-1)).toMatchObject({ event: 'quiet_hours', detail: 'held until 07:00' })
    expect(await unread()).toBe(2)
    await untilMorning()
    expect(await digests()).toMatchObject([{ title: '1 message during quiet hours' }])
  })

  test('each member of an organization has quiet hours for themselves', async () => {
    const org = await createOrganization(app, 2)
    const [ada, ben] = org.members as [TestUser, TestUser]
    for (const member of [ada, ben]) await addPhone(app, { app, user: member })
    await setHours({}, ada.token)
    await app.post(`${org.path}/notifications`, { title: 'T', body: 'B', source: 'ops' }, org.owner.token)
    const eventsOf = async ({ token }: TestUser) => {
      const entry = (await inbox(token)).find(({ source }: { source?: string }) => source === 'ops')
      return (await timeline(entry.id, token)).map(({ event, device }: { event: string; device?: string }) =>
        device ? `${event} ${device}` : event,
      )
    }
    await eventually(async () => expect(await eventsOf(ben)).toContain('push_accepted Phone'))
    expect(await eventsOf(ada)).toEqual(['accepted', 'stored', 'quiet_hours Phone'])
    await untilMorning()
    expect(await digests(ada.token)).toMatchObject([{ body: 'ops (1)' }])
    expect(await digests(ben.token)).toEqual([])
  })
})

describe('the digest', () => {
  test('is one push at the end that names count and sources, costs nothing and is not unread', async () => {
    await setHours()
    await untilNight()
    for (const source of ['ci', 'nas', 'nas', undefined]) await send({ source })
    await pass(8 * HOUR - 1)
    expect(await digests()).toEqual([])
    await pass(1)
    const [digest, ...others] = await digests()
    expect(others).toEqual([])
    expect(digest).toMatchObject({ title: '4 messages during quiet hours', body: 'nas (2), ci (1), others (1)' })
    expect(await phone.screen()).toEqual({ banners: ['4 messages during quiet hours'], badge: 4 })
    expect(await unread()).toBe(4)
    expect(await used(user)).toBe(0)
    await pass(86_400)
    expect(await digests()).toHaveLength(1)
  })

  test('leaves out what was read or deleted, and is not sent for nothing', async () => {
    await setHours()
    await untilNight()
    const [first, second] = [await send({ source: 'a' }), await send({ source: 'b' })]
    await app.post('/notifications/read', { ids: [first.id] }, user.token)
    await app.del(`/notifications/${second.id}`, user.token)
    await untilMorning()
    expect(await digests()).toEqual([])
  })

  test('is not sent if the person wants none', async () => {
    await setHours({ digest: false })
    await untilNight()
    await send()
    await untilMorning()
    expect(await digests()).toEqual([])
  })

  test('comes when the quiet hours end earlier or are deleted, and later if they are prolonged', async () => {
    await setHours()
    await untilNight()
    await send({ source: 'a' })
    await setHours({ windows: [{ ...NIGHT, to: '09:00' }] })
    await untilMorning()
    expect(await digests()).toEqual([])
    await app.del('/auth/me/quiet-hours', user.token)
    await app.runDueJobs()
    expect(await digests()).toMatchObject([{ body: 'a (1)' }])
  })

  test('after an outage waits for the end of the next window if that has begun', async () => {
    await setHours()
    await untilNight()
    await send({ source: 'a' })
    await pass(26 * HOUR)
    expect(await digests()).toEqual([])
    await pass(6 * HOUR)
    expect(await digests()).toMatchObject([{ body: 'a (1)' }])
  })
})

describe('a night on which the clocks change', () => {
  test.each([
    ['forward', '2027-03-27T21:00:00Z', '2027-03-28T05:00:00Z'],
    ['back', '2027-10-30T20:00:00Z', '2027-10-31T06:00:00Z'],
  ])('%s is quiet from 22:00 to 07:00, and the digest comes once', async (_, begin, end) => {
    await setHours({ timezone: 'Europe/Berlin' })
    const secondBefore = (time: string) => new Date(Date.parse(time) - 1000).toISOString()
    await at(secondBefore(begin))
    expect(await send({ source: 'evening' })).toMatchObject({ delivery: 'all' })
    await at(begin)
    expect(await send({ source: 'late' })).toMatchObject({ reason: 'quiet_hours' })
    await at(secondBefore(end))
    const last = await send({ source: 'early' })
    expect((await timeline(last.id)).at(-1)).toMatchObject({ detail: 'held until 07:00' })
    expect(await digests()).toEqual([])
    await at(end)
    expect(await send({ source: 'morning' })).toMatchObject({ delivery: 'all' })
    await pass(3600)
    expect(await digests()).toMatchObject([{ title: '2 messages during quiet hours', body: 'early (1), late (1)' }])
  })
})

describe('activities', () => {
  test('go on in quiet hours without their sounds', async () => {
    const watch = await addActivityPhone(app, { app, user })
    const change = async (members: object) => {
      await app.patch('/activities/build?upsert=true', members, user.token)
      await app.runDueJobs()
    }
    await change({ state: 'ongoing', content: { template: 'generic', state: 'a' } })
    const token = await watch.show('build')
    await change({ content: { state: 'b' }, sound: 'chime' })
    await beQuiet(HOUR)
    await change({ content: { state: 'c' }, sound: 'chime' })
    const heard = watch.pushes(token).map(({ aps }) => [aps['content-state'].state, aps.sound])
    expect(heard).toEqual([
      ['b', 'chime.caf'],
      ['c', undefined],
    ])
  })
})

describe('/auth/me/quiet-hours', () => {
  test('200 without any: no windows, and not quiet', async () => {
    expect(await hours()).toEqual({ timezone: 'UTC', windows: [], passes: 'time-sensitive', digest: true })
  })

  test('200 as they were set; event streams learn of changes; 204 and they are gone', async () => {
    const events = await openEvents(app.url, user.token)
    const set = await setHours({ passes: 'critical', digest: false })
    expect([set.status, set.body]).toEqual([
      200,
      { timezone: 'UTC', windows: [NIGHT], passes: 'critical', digest: false },
    ])
    expect(await hours()).toEqual(set.body)
    await untilNight()
    expect(await hours()).toEqual({ ...set.body, quiet_until: later(8 * HOUR) })
    expect((await app.del('/auth/me/quiet-hours', user.token)).status).toBe(204)
    expect(await hours()).toMatchObject({ windows: [], passes: 'time-sensitive' })
    await eventually(() => expect(events.types()).toEqual(['quiet_hours.updated', 'quiet_hours.updated']))
    events.close()
  })

  test('422 for an unknown zone, bad times and days, and more than seven windows', async () => {
    const refused = async (members: object) => {
      const answer = await setHours(members)
      expectProblem(answer, 422, 'request.validation_failed')
      return locations(answer)
    }
    expect(await refused({ timezone: 'Europe/Atlantis' })).toEqual(['body.timezone'])
    expect(await refused({ windows: [{ ...NIGHT, from: '24:00' }] })).toEqual(['body.windows[0].from'])
    expect(await refused({ windows: [{ ...NIGHT, days: [] }] })).toEqual(['body.windows[0].days'])
    expect(await refused({ windows: [{ ...NIGHT, days: ['mo'] }] })).toEqual(['body.windows[0].days[0]'])
    expect(await refused({ windows: Array(8).fill(NIGHT) })).toEqual(['body.windows'])
    expect(await refused({ passes: 'active' })).toEqual(['body.passes'])
  })
})

describe('/auth/me/quiet-hours/now', () => {
  test('200 and quiet until then; the windows stay; 204 ends it early with a digest', async () => {
    await setHours()
    const { status, body } = await beQuiet(3600)
    expect([status, body]).toMatchObject([200, { until: later(3600), quiet_until: later(3600), windows: [NIGHT] }])
    expect((await setHours({ passes: 'critical' })).body).toMatchObject({ until: later(3600), passes: 'critical' })
    await setHours()
    await send({ source: 'a' })
    expect((await app.del('/auth/me/quiet-hours/now', user.token)).status).toBe(204)
    await app.runDueJobs()
    expect(await digests()).toMatchObject([{ body: 'a (1)' }])
    expect(await send()).toMatchObject({ delivery: 'all' })
    expect(await hours()).toEqual({ timezone: 'UTC', windows: [NIGHT], passes: 'time-sensitive', digest: true })
  })

  test('ends by itself', async () => {
    await beQuiet(60)
    expect(await send()).toMatchObject({ reason: 'quiet_hours' })
    await pass(60)
    expect(await hours()).not.toHaveProperty('until')
    expect(await digests()).toHaveLength(1)
  })

  test('422 in the past and more than 30 days ahead', async () => {
    for (const seconds of [0, 30 * 86_400 + 1]) {
      const refused = await beQuiet(seconds)
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual(['body.until'])
    }
    expect((await beQuiet(30 * 86_400)).status).toBe(200)
  })
})
