// How schedules end without a send, how long they are kept, and what happens to them during downtime.
import { describe, expect, test } from 'vitest'
import { fromRfc3339 } from '../../../src/domain/instant.ts'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, useTestApp } from '../../support/app.ts'
import { type EventReader, openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'
import { DAILY, REMINDER, schedulesOf } from '../../support/schedules.ts'

const app = useTestApp()
const { later, plan, read, inbox, used, jobs, pass, useUp } = schedulesOf(app)

// The first of them, and whatever else has come with it.
async function scheduleEvents(events: EventReader) {
  const found = () =>
    events.events
      .filter(({ event }) => event.startsWith('schedule.'))
      .map(({ event, data }) => [event, data.data] as const)
  await eventually(() => expect(found()).not.toEqual([]))
  events.close()
  await events.ended
  return found()
}

describe('a schedule ends early', () => {
  test('when its key is deleted: pending ones fail with key_revoked; others and sent ones are kept', async () => {
    const user = await app.addUser()
    const { id: keyId, key } = (
      await app.post('/integrations/keys', { name: 'K', permissions: { notifications: 'schedule' } }, user.token)
    ).body
    const sent = await plan({ token: key }, { send_at: later(60) })
    await pass(60)
    const [pending, mine] = [
      await plan({ token: key }, { recurrence: DAILY }),
      await plan(user, { send_at: later(60) }),
    ]
    const events = await openEvents(app.url, user.token)
    expect((await app.del(`/integrations/keys/${keyId}`, user.token)).status).toBe(204)
    expect(await scheduleEvents(events)).toEqual([['schedule.failed', { id: pending, failure_reason: 'key_revoked' }]])
    expect(await read(user, pending)).toMatchObject({ status: 'failed', failure_reason: 'key_revoked' })
    expect(await jobs(user)).toHaveLength(1)
    await pass(60)
    expect([(await read(user, sent)).status, (await read(user, mine)).status]).toEqual(['sent', 'sent'])
  })

  test('when the account is deleted, without leaving a job', async () => {
    const user = await app.addUser()
    await plan(user, { send_at: later(86_400) })
    expect(await jobs(user)).toHaveLength(1)
    await removeUser(app.app.ctx, user.name)
    expect(await jobs(user)).toEqual([])
  })

  test('after repeated internal errors: it is retried, and then fails with internal_error', async () => {
    const user = await app.addUser()
    const id = await plan(user, { send_at: later(60) })
    const input = (title: string) =>
      app.app.ctx.db.transact((tx) =>
        tx.execute(sql`update schedules set input = ${JSON.stringify({ title, body: 'B' })} where id = ${id}`),
      )
    // No request can cause this: a stored notification that violates the current rules.
    await input('')
    for (const seconds of [60, 5, 30, 120, 600]) {
      await pass(seconds)
      expect((await read(user, id)).status).toBe('scheduled')
    }
    const events = await openEvents(app.url, user.token)
    await pass(3600)
    expect(await scheduleEvents(events)).toEqual([['schedule.failed', { id, failure_reason: 'internal_error' }]])
    expect(await read(user, id)).toMatchObject({ status: 'failed', failure_reason: 'internal_error' })
    expect([await inbox(user), await used(user), await jobs(user)]).toEqual([[], 0, []])
  })

  test('not after a temporary error: it is sent by the retry', async () => {
    const user = await app.addUser()
    const id = await plan(user, { send_at: later(60) })
    const input = (title: string) =>
      app.app.ctx.db.transact((tx) =>
        tx.execute(sql`update schedules set input = ${JSON.stringify({ title, body: 'B' })} where id = ${id}`),
      )
    await input('')
    await pass(60)
    await input('Back')
    await pass(5)
    expect([(await read(user, id)).status, (await inbox(user)).length, await used(user)]).toEqual(['sent', 1, 1])
  })
})

test('a send without quota is told as failed, one of a series as skipped', async () => {
  const user = await app.addUser('free')
  const single = await plan(user, { send_at: later(60) })
  await useUp(user)
  const failed = await openEvents(app.url, user.token)
  await pass(60)
  expect(await scheduleEvents(failed)).toEqual([['schedule.failed', { id: single, failure_reason: 'quota_exceeded' }]])
  const other = await app.addUser('free')
  const series = await plan(other, { recurrence: { cron: '*/15 * * * *', timezone: 'UTC' } })
  await useUp(other)
  const skipped = await openEvents(app.url, other.token)
  await pass(3600)
  const [told, ...more] = await scheduleEvents(skipped)
  expect(told).toEqual(['schedule.skipped', { id: series, skipped: 4, reason: 'quota_exceeded' }])
  expect(more).toEqual([])
})

describe('retention', () => {
  test('R10 canceled ones are kept 24 hours, sent and failed ones 7 days, pending ones stay', async () => {
    const user = await app.addUser()
    const [sent, canceled] = [await plan(user, { send_at: later(60) }), await plan(user, { send_at: later(120) })]
    const pending = await plan(user, { send_at: later(30 * 86_400) })
    const permissions = { notifications: 'schedule' }
    const { id: keyId, key } = (await app.post('/integrations/keys', { name: 'K', permissions }, user.token)).body
    const failed = await plan({ token: key }, { send_at: later(86_400) })
    await pass(60)
    await app.del(`/integrations/keys/${keyId}`, user.token)
    await app.del(`/notifications/scheduled/${canceled}`, user.token)
    const known = async () => {
      await scheduleHousekeeping(app.app.ctx)
      await app.runDueJobs()
      const ids = (await app.get('/notifications/scheduled?status=all', user.token)).body.items
      return ids.map(({ id }: { id: number }) => id).sort((one: number, other: number) => one - other)
    }
    app.advanceSeconds(86_400)
    expect(await known()).toEqual([sent, canceled, pending, failed])
    app.advanceSeconds(1)
    expect(await known()).toEqual([sent, pending, failed])
    app.advanceSeconds(6 * 86_400 - 1)
    expect(await known()).toEqual([sent, pending, failed])
    app.advanceSeconds(1)
    expect(await known()).toEqual([pending])
  })
})

describe('after downtime', () => {
  test('R08 single sends are sent late, each series sends its most recent occurrence once and logs how many were skipped', async () => {
    const { log, lines } = createMemoryLog()
    const alone = await startTestApp({}, undefined, { log })
    const user = await alone.addUser()
    const post = (members: object) => alone.post('/notifications/scheduled', { ...REMINDER, ...members }, user.token)
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
    // The most recent occurrence that until allows, which was the last.
    expect(await state(quarter.body.id)).toMatchObject({ status: 'sent', send_at: '2026-11-15T10:15:00.000Z' })
    expect(await state(daily.body.id)).toMatchObject({ occurrence: 1, send_at: '2026-11-16T09:00:00.000Z' })
    const skipped = lines.map((line) => JSON.parse(line)).filter((line) => line.schedule !== undefined)
    expect(skipped).toMatchObject([{ schedule: quarter.body.id, skipped: 8 }])
    await alone.runDueJobs()
    expect((await alone.get('/notifications', user.token)).body.items).toHaveLength(titles.length)
    await alone.stop()
  })

  test('R06 ten years of missed occurrences cause one send', async () => {
    const alone = await startTestApp()
    const user = await alone.addUser()
    await alone.post(
      '/notifications/scheduled',
      { ...REMINDER, recurrence: { cron: '*/15 * * * *', timezone: 'UTC' } },
      user.token,
    )
    alone.clock.set(fromRfc3339('2036-11-15T08:07:00Z'))
    await alone.runDueJobs()
    const { items } = (await alone.get('/notifications/scheduled', user.token)).body
    expect(items).toMatchObject([{ occurrence: 1, send_at: '2036-11-15T08:15:00.000Z' }])
    await alone.stop()
  })
})
