// Sending what was planned: once, when it is due, paid for, and told about.
import { describe, expect, test } from 'vitest'
import { scheduleHousekeeping } from '../../src/delivery/housekeeping.ts'
import { fromRfc3339, yearMonth } from '../../src/domain/instant.ts'
import { removeUser, setPlan } from '../../src/operations/accounts.ts'
import { sql } from '../../src/store/sql.ts'
import { startTestApp, type TestUser } from '../support/app.ts'
import { openEvents } from '../support/event-reader.ts'
import { eventually } from '../support/eventually.ts'
import { createMemoryLog } from '../support/memory-log.ts'
import { addPhone } from '../support/phone.ts'
import { usePushApp } from '../support/push-services.ts'

const app = usePushApp()
const plain = { title: 'Backup', body: 'Change the tape' }
const DAILY = { cron: '0 9 * * *', timezone: 'UTC' }

const later = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()

async function plan({ token }: { token: string }, members: Record<string, unknown>): Promise<number> {
  const { status, text, body } = await app.post('/notifications/scheduled', { ...plain, ...members }, token)
  if (status !== 201) throw new Error(text)
  return body.id
}

const read = async ({ token }: { token: string }, id: number) =>
  (await app.get(`/notifications/scheduled/${id}`, token)).body
const inbox = async ({ token }: { token: string }) => (await app.get('/notifications', token)).body.items
const used = async ({ token }: TestUser) => (await app.get('/auth/me', token)).body.notifications_used
const jobs = ({ userId }: TestUser) =>
  app.app.ctx.db.read.all<{ id: number }>(
    sql`select id from jobs where kind = 'send-schedule' and payload like ${`%${userId}%`}`,
  )

async function at(time: string): Promise<void> {
  app.clock.set(fromRfc3339(time))
  await app.runDueJobs()
}

async function useUp({ userId }: TestUser): Promise<void> {
  await app.app.ctx.db.transact((tx) =>
    tx.run(sql`insert into usage (user_id, kind, period, used)
      values (${userId}, 'notifications', ${yearMonth(app.clock.now())}, 500)
      on conflict (user_id, kind, period) do update set used = 500`),
  )
}

describe('a single send', () => {
  test('goes out when it is due and not before, and its push outcome is readable', async () => {
    const user = await app.addUser()
    const phone = await addPhone(app, { app, user })
    const id = await plan(user, { send_at: later(600), subtitle: 'Rack 3' })
    app.advanceSeconds(599.999)
    await app.runDueJobs()
    expect([await inbox(user), await phone.pushes()]).toEqual([[], []])
    app.advanceSeconds(0.001)
    await app.runDueJobs()
    const [notification, ...more] = await inbox(user)
    expect(more).toEqual([])
    expect(notification).toMatchObject({ ...plain, subtitle: 'Rack 3', pushed: true, created_at: later(0) })
    expect(await read(user, id)).toMatchObject({
      status: 'sent',
      notification_id: notification.id,
      sent_at: later(0),
      delivery: 'all',
    })
    expect([await used(user), (await phone.screen()).banners]).toEqual([1, ['Backup']])
    app.advanceSeconds(86_400)
    await app.runDueJobs()
    expect(await inbox(user)).toHaveLength(1)
  })

  test('a refused push, no device, and push false are reported as at once', async () => {
    const user = await app.addUser()
    const outcome = async (members: Record<string, unknown>) => {
      const id = await plan(user, { send_at: later(60), ...members })
      app.advanceSeconds(60)
      await app.runDueJobs()
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

  test('its answer goes to the key that planned it', async () => {
    const user = await app.addUser()
    const key = { token: await app.addKey(user, { permissions: { notifications: 'schedule' } }) }
    const id = await plan(key, { send_at: later(60), actions: [{ id: 'ok', title: 'OK' }] })
    app.advanceSeconds(60)
    await app.runDueJobs()
    const { notification_id } = await read(key, id)
    expect((await app.get(`/notifications/answers/${notification_id}`, key.token)).body.status).toBe('pending')
    expect((await app.get(`/notifications/answers/${notification_id}`, user.defaultKey)).status).toBe(404)
  })

  test('R09 without quota it has failed, and costs nothing; with the new month it would not', async () => {
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

  test('it is paid for by the plan that the account has when it is sent', async () => {
    const user = await app.addUser('free')
    const id = await plan(user, { send_at: later(60) })
    await useUp(user)
    await setPlan(app.app.ctx, user.name, 'paid')
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect((await read(user, id)).status).toBe('sent')
  })

  test('the events of the account tell of it', async () => {
    const user = await app.addUser()
    const events = await openEvents(app.url, user.token)
    const id = await plan(user, { send_at: later(60) })
    app.advanceSeconds(60)
    await app.runDueJobs()
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

  test('R09 an occurrence without quota is skipped and not counted, and the series goes on', async () => {
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

  test('a clock that is set back brings no occurrence back', async () => {
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

describe('what ends a schedule early', () => {
  test('deleting its key: pending ones have failed, key_revoked; others and sent ones stay', async () => {
    const user = await app.addUser()
    const { id: keyId, key } = (
      await app.post('/integrations/keys', { name: 'K', permissions: { notifications: 'schedule' } }, user.token)
    ).body
    const sent = await plan({ token: key }, { send_at: later(60) })
    app.advanceSeconds(60)
    await app.runDueJobs()
    const [pending, mine] = [
      await plan({ token: key }, { recurrence: DAILY }),
      await plan(user, { send_at: later(60) }),
    ]
    expect((await app.del(`/integrations/keys/${keyId}`, user.token)).status).toBe(204)
    expect(await read(user, pending)).toMatchObject({ status: 'failed', failure_reason: 'key_revoked' })
    expect(await jobs(user)).toHaveLength(1)
    app.advanceSeconds(60)
    await app.runDueJobs()
    expect([(await read(user, sent)).status, (await read(user, mine)).status]).toEqual(['sent', 'sent'])
  })

  test('deleting the account leaves no job behind', async () => {
    const user = await app.addUser()
    await plan(user, { send_at: later(86_400) })
    expect(await jobs(user)).toHaveLength(1)
    await removeUser(app.app.ctx, user.name)
    expect(await jobs(user)).toEqual([])
  })

  test('errors of ours are retried, and at last it has failed, internal_error', async () => {
    const user = await app.addUser()
    const id = await plan(user, { send_at: later(60) })
    const input = (title: string) =>
      app.app.ctx.db.transact((tx) =>
        tx.run(sql`update schedules set input = ${JSON.stringify({ title, body: 'B' })} where id = ${id}`),
      )
    // What no request can bring about: a stored notification that breaks the rules of today.
    await input('')
    for (const seconds of [60, 5, 30, 120, 600]) {
      app.advanceSeconds(seconds)
      await app.runDueJobs()
      expect((await read(user, id)).status).toBe('scheduled')
    }
    app.advanceSeconds(3600)
    await app.runDueJobs()
    expect(await read(user, id)).toMatchObject({ status: 'failed', failure_reason: 'internal_error' })
    expect([await inbox(user), await used(user), await jobs(user)]).toEqual([[], 0, []])
  })

  test('an error that goes away costs only time', async () => {
    const user = await app.addUser()
    const id = await plan(user, { send_at: later(60) })
    const input = (title: string) =>
      app.app.ctx.db.transact((tx) =>
        tx.run(sql`update schedules set input = ${JSON.stringify({ title, body: 'B' })} where id = ${id}`),
      )
    await input('')
    app.advanceSeconds(60)
    await app.runDueJobs()
    await input('Back')
    app.advanceSeconds(5)
    await app.runDueJobs()
    expect([(await read(user, id)).status, (await inbox(user)).length, await used(user)]).toEqual(['sent', 1, 1])
  })
})

describe('retention', () => {
  test('R10 canceled ones are gone after 24 hours, sent and failed ones after 7 days, pending ones stay', async () => {
    const user = await app.addUser()
    const [sent, canceled] = [await plan(user, { send_at: later(60) }), await plan(user, { send_at: later(120) })]
    const pending = await plan(user, { send_at: later(30 * 86_400) })
    app.advanceSeconds(60)
    await app.runDueJobs()
    await app.del(`/notifications/scheduled/${canceled}`, user.token)
    const known = async () => {
      await scheduleHousekeeping(app.app.ctx)
      await app.runDueJobs()
      const ids = (await app.get('/notifications/scheduled?status=all', user.token)).body.items
      return ids.map(({ id }: { id: number }) => id).sort()
    }
    app.advanceSeconds(86_400)
    expect(await known()).toEqual([sent, canceled, pending])
    app.advanceSeconds(1)
    expect(await known()).toEqual([sent, pending])
    app.advanceSeconds(6 * 86_400 - 1)
    expect(await known()).toEqual([sent, pending])
    app.advanceSeconds(1)
    expect(await known()).toEqual([pending])
  })
})

describe('after a standstill', () => {
  test('R08 single sends are late, each series sends its most recent one once, and says how many it skipped', async () => {
    const { log, lines } = createMemoryLog()
    const alone = await startTestApp({}, undefined, { log })
    const user = await alone.addUser()
    const post = (members: object) => alone.post('/notifications/scheduled', { ...plain, ...members }, user.token)
    await post({ title: 'one', send_at: '2026-11-15T08:30:00Z' })
    const quarter = await post({
      title: 'quarter',
      recurrence: { cron: '*/15 * * * *', timezone: 'UTC', until: '2026-11-15T10:20:00Z' },
    })
    const daily = await post({ title: 'daily', recurrence: DAILY })
    await alone.runDueJobs()
    const before = (await alone.get('/notifications', user.token)).body.items.length
    alone.clock.set(fromRfc3339('2026-11-15T11:00:00Z'))
    await alone.runDueJobs()
    const titles = (await alone.get('/notifications', user.token)).body.items.map(
      ({ title }: { title: string }) => title,
    )
    expect(titles.slice(0, titles.length - before).sort()).toEqual(['daily', 'one', 'quarter'])
    const state = async (id: number) => (await alone.get(`/notifications/scheduled/${id}`, user.token)).body
    // The most recent one that until allows; it was the last.
    expect(await state(quarter.body.id)).toMatchObject({ status: 'sent', send_at: '2026-11-15T10:15:00.000Z' })
    expect(await state(daily.body.id)).toMatchObject({ occurrence: 1, send_at: '2026-11-16T09:00:00.000Z' })
    const skipped = lines.map((line) => JSON.parse(line)).filter((line) => line.schedule !== undefined)
    expect(skipped).toMatchObject([{ schedule: quarter.body.id, skipped: 8 }])
    await alone.runDueJobs()
    expect((await alone.get('/notifications', user.token)).body.items).toHaveLength(titles.length)
    await alone.stop()
  })

  test('R06 ten years at once are no storm and take no time', async () => {
    const alone = await startTestApp()
    const user = await alone.addUser()
    await alone.post(
      '/notifications/scheduled',
      { ...plain, recurrence: { cron: '*/15 * * * *', timezone: 'UTC' } },
      user.token,
    )
    alone.clock.set(fromRfc3339('2036-11-15T08:07:00Z'))
    await alone.runDueJobs()
    const { items } = (await alone.get('/notifications/scheduled', user.token)).body
    expect(items).toMatchObject([{ occurrence: 1, send_at: '2036-11-15T08:15:00.000Z' }])
    await alone.stop()
  })
})
