// Sending schedules: once, when due, within the quota, and with a delivery report.
import { describe, expect, test } from 'vitest'
import { fromRfc3339 } from '../../../src/domain/instant.ts'
import { setPlan } from '../../../src/operations/accounts/accounts.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { addPhone } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { DAILY, REMINDER, schedulesOf } from '../../support/schedules.ts'

const app = usePushApp()
const { later, plan, read, inbox, used, jobs, at, pass, useUp } = schedulesOf(app)

describe('schedules of many accounts at the same time', () => {
  test('each account gets its own once, although one has no quota left and one has corrupt input', async () => {
    const users = await Promise.all(Array.from({ length: 30 }, () => app.addUser('free')))
    const ids = await Promise.all(users.map((user) => plan(user, { send_at: later(60) })))
    const [unpaid, broken, ...others] = users as [TestUser, TestUser, ...TestUser[]]
    await useUp(unpaid)
    const { db } = app.app.ctx
    await db.transact((tx) => tx.execute(sql`update schedules set input = '{' where user_id = ${broken.userId}`))
    await pass(60)
    for (const user of others) {
      expect([await inbox(user), await used(user)]).toMatchObject([[REMINDER], 1])
    }
    expect(await inbox(unpaid)).toEqual([])
    expect(await read(unpaid, ids[0] as number)).toMatchObject({ status: 'failed', failure_reason: 'quota_exceeded' })
    expect([await inbox(broken), await used(broken)]).toEqual([[], 0])
    await db.transact((tx) =>
      tx.execute(sql`update schedules set input = ${JSON.stringify(REMINDER)} where input = '{'`),
    )
    await pass(5)
    expect([await inbox(broken), await used(broken)]).toMatchObject([[REMINDER], 1])
  })
})

describe('a single send', () => {
  test('is sent when due and not before, with its delivery', async () => {
    const user = await app.addUser()
    const phone = await addPhone(app, { app, user })
    const id = await plan(user, { send_at: later(600), subtitle: 'Rack 3' })
    await pass(599.999)
    expect([await inbox(user), await phone.pushes()]).toEqual([[], []])
    await pass(0.001)
    const [notification, ...more] = await inbox(user)
    expect(more).toEqual([])
    expect(notification).toMatchObject({ ...REMINDER, subtitle: 'Rack 3', pushed: true, created_at: later(0) })
    expect(await read(user, id)).toMatchObject({
      status: 'sent',
      notification_id: notification.id,
      sent_at: later(0),
      delivery: 'all',
    })
    expect([await used(user), (await phone.screen()).banners]).toEqual([1, ['Backup']])
    await pass(86_400)
    expect(await inbox(user)).toHaveLength(1)
  })

  test('a refused push, no device, and push false are reported as for an immediate send', async () => {
    const user = await app.addUser()
    const outcome = async (members: Record<string, unknown>) => {
      const id = await plan(user, { send_at: later(60), ...members })
      await pass(60)
      const { delivery, reason } = await read(user, id)
      return [delivery, reason]
    }
    expect(await outcome({})).toEqual(['none', 'no_apns_token'])
    expect(await outcome({ push: false })).toEqual(['none', 'push_disabled'])
    const phone = await addPhone(app, { app, user })
    app.apns.script(phone.token, { status: 400, reason: 'TopicDisallowed' })
    expect(await outcome({})).toEqual(['none', 'apns_rejected'])
    expect(await used(user)).toBe(2)
  })

  test('the delivery is reported although the process died right after the send', async () => {
    const user = await app.addUser()
    const [phone] = [await addPhone(app, { app, user }), await addPhone(app, { app, user })]
    app.apns.script(phone.token, { status: 400, reason: 'TopicDisallowed' })
    const id = await plan(user, { send_at: later(60) })
    const { ctx } = app.app
    const { runNow } = ctx
    ctx.runNow = () => Promise.reject(new Error('died'))
    await pass(60)
    ctx.runNow = runNow
    expect(await read(user, id)).not.toHaveProperty('delivery')
    await pass(16)
    await pass(16)
    expect(await read(user, id)).toMatchObject({ delivery: 'partial', reason: 'apns_rejected' })
    expect(await ctx.db.read.all(sql`select id from jobs where kind = 'report-schedule'`)).toEqual([])
  })

  test('its answer can be read by the key that scheduled it', async () => {
    const user = await app.addUser()
    const key = { token: await app.addKey(user, { permissions: { notifications: 'schedule' } }) }
    const id = await plan(key, { send_at: later(60), actions: [{ id: 'ok', title: 'OK' }] })
    await pass(60)
    const { notification_id } = await read(key, id)
    expect((await app.get(`/notifications/answers/${notification_id}`, key.token)).body.status).toBe('pending')
    expect((await app.get(`/notifications/answers/${notification_id}`, user.defaultKey)).status).toBe(404)
  })

  test('R09 without quota it fails and uses none; in the new month it is sent', async () => {
    app.clock.set(fromRfc3339('2027-01-31T23:59:00Z'))
    const user = await app.addUser('free')
    const [before, after] = [
      await plan(user, { send_at: '2027-01-31T23:59:59.999Z' }),
      await plan(user, { send_at: '2027-02-01T00:00:00Z' }),
    ]
    await useUp(user)
    await at('2027-01-31T23:59:59.999Z')
    expect(await read(user, before)).toMatchObject({ status: 'failed', failure_reason: 'quota_exceeded' })
    expect(await inbox(user)).toEqual([])
    await at('2027-02-01T00:00:00Z')
    expect(await read(user, after)).toMatchObject({ status: 'sent' })
    expect(await used(user)).toBe(1)
  })

  test('the link to an activity that was deleted since is left out', async () => {
    const user = await app.addUser()
    const slugs = ['wash', 'dry']
    for (const slug of slugs) {
      await app.post('/activities', { slug, name: slug }, user.token)
      await plan(user, { send_at: later(60), activity_slug: slug })
    }
    await app.del('/activities/dry', user.token)
    await pass(60)
    expect((await inbox(user)).map((one: object) => 'activity_slug' in one && one.activity_slug).sort()).toEqual([
      false,
      'wash',
    ])
  })

  test('it is charged to the plan that the account has when it is sent', async () => {
    const user = await app.addUser('free')
    const id = await plan(user, { send_at: later(60) })
    await useUp(user)
    await setPlan(app.app.ctx, user.name, 'paid')
    await pass(60)
    expect((await read(user, id)).status).toBe('sent')
  })

  test('event streams get its creation, send and deletion', async () => {
    const user = await app.addUser()
    const events = await openEvents(app.url, user.token)
    const id = await plan(user, { send_at: later(60) })
    await pass(60)
    await app.del(`/notifications/scheduled/${id}`, user.token)
    await eventually(() =>
      expect(events.types()).toEqual(['schedule.created', 'notification.created', 'schedule.sent', 'schedule.deleted']),
    )
    events.close()
  })
})

describe('a series', () => {
  test('sends each occurrence once, counts them, and is sent after the last', async () => {
    app.clock.set(fromRfc3339('2027-05-01T08:00:00Z'))
    const user = await app.addUser()
    const id = await plan(user, { recurrence: { ...DAILY, count: 2 } })
    await at('2027-05-01T09:00:00Z')
    const [first] = await inbox(user)
    expect(await read(user, id)).toMatchObject({
      status: 'scheduled',
      occurrence: 1,
      notification_id: first.id,
      last_sent_at: '2027-05-01T09:00:00.000Z',
      send_at: '2027-05-02T09:00:00.000Z',
    })
    expect(await read(user, id)).not.toHaveProperty('sent_at')
    await at('2027-05-02T09:00:03Z')
    expect(await read(user, id)).toMatchObject({
      status: 'sent',
      occurrence: 2,
      sent_at: '2027-05-02T09:00:03.000Z',
      send_at: '2027-05-02T09:00:00.000Z',
    })
    await at('2027-05-09T09:00:00Z')
    expect([(await inbox(user)).length, await jobs(user)]).toEqual([2, []])
  })

  test('ends with until, which is inclusive', async () => {
    app.clock.set(fromRfc3339('2027-05-10T08:00:00Z'))
    const user = await app.addUser()
    const id = await plan(user, { recurrence: { ...DAILY, until: '2027-05-11T09:00:00Z' } })
    await at('2027-05-10T09:00:00Z')
    expect((await read(user, id)).status).toBe('scheduled')
    await at('2027-05-11T09:00:00Z')
    expect((await read(user, id)).status).toBe('sent')
    expect(await inbox(user)).toHaveLength(2)
  })

  test('R09 an occurrence without quota is skipped and not counted, and the series continues', async () => {
    app.clock.set(fromRfc3339('2027-06-29T12:00:00Z'))
    const user = await app.addUser('free')
    const id = await plan(user, { recurrence: { ...DAILY, count: 2 } })
    await useUp(user)
    await at('2027-06-30T09:00:00Z')
    expect(await read(user, id)).toMatchObject({
      status: 'scheduled',
      occurrence: 0,
      send_at: '2027-07-01T09:00:00.000Z',
    })
    await at('2027-07-01T09:00:00Z')
    await at('2027-07-02T09:00:00Z')
    expect(await read(user, id)).toMatchObject({ status: 'sent', occurrence: 2 })
    expect([(await inbox(user)).length, await used(user)]).toEqual([2, 2])
  })

  test('whose only occurrence is skipped has failed', async () => {
    app.clock.set(fromRfc3339('2027-07-10T08:00:00Z'))
    const user = await app.addUser('free')
    const id = await plan(user, { recurrence: { ...DAILY, until: '2027-07-10T10:00:00Z' } })
    await useUp(user)
    await at('2027-07-10T09:00:00Z')
    expect(await read(user, id)).toMatchObject({ status: 'failed', failure_reason: 'quota_exceeded' })
  })

  test('whose last occurrence is skipped was sent', async () => {
    app.clock.set(fromRfc3339('2027-07-20T08:00:00Z'))
    const user = await app.addUser('free')
    const id = await plan(user, { recurrence: { ...DAILY, until: '2027-07-21T10:00:00Z' } })
    await at('2027-07-20T09:00:00Z')
    await useUp(user)
    await at('2027-07-21T09:00:00Z')
    expect(await read(user, id)).toMatchObject({
      status: 'sent',
      occurrence: 1,
      sent_at: '2027-07-20T09:00:00.000Z',
    })
  })

  test('does not repeat an occurrence when the clock is set back', async () => {
    app.clock.set(fromRfc3339('2027-08-01T08:00:00Z'))
    const user = await app.addUser()
    await plan(user, { recurrence: DAILY })
    await at('2027-08-01T09:00:00Z')
    await at('2027-08-01T07:00:00Z')
    await at('2027-08-01T09:00:00Z')
    expect(await inbox(user)).toHaveLength(1)
    await at('2027-08-02T09:00:00Z')
    expect(await inbox(user)).toHaveLength(2)
  })
})
