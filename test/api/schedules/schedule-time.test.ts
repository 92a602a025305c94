// Schedules and alerts when processes die and clocks jump: every occurrence is sent exactly once.
import { describe, expect, test } from 'vitest'
import { fromRfc3339, type Instant, instant } from '../../../src/domain/instant.ts'
import { nextMatch } from '../../../src/domain/schedules/recurrence.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { LEASE_SECONDS } from '../../../src/store/jobs.ts'
import type { TestUser } from '../../support/app.ts'
import { useTestApp } from '../../support/app.ts'
import { claimAnyJobs } from '../../support/database/claim-jobs.ts'
import { schedulesOf } from '../../support/schedules.ts'

const app = useTestApp()
const { later, plan, read, inbox, used, pass } = schedulesOf(app)

// The due times for which a notification was sent.
async function momentsOf(id: number): Promise<Instant[]> {
  const rows = await app.app.ctx.db.read.all<{ due_at: number }>(
    sql`select due_at from schedule_sends where schedule_id = ${id} order by due_at`,
  )
  return rows.map((row) => instant(row.due_at))
}

function expectedMoments(cron: string, from: Instant, until: Instant): Instant[] {
  const moments: Instant[] = []
  const pattern = { cron, timezone: 'UTC' }
  for (let at = nextMatch(pattern, from); at !== undefined && at <= until; at = nextMatch(pattern, at)) moments.push(at)
  return moments
}

// Due jobs are claimed by a process that then dies.
const claimAndDie = () => app.app.ctx.db.transact((tx) => claimAnyJobs(tx, 1000, app.clock.now()))

describe('R04 each occurrence of a series is sent once', () => {
  const CRONS = ['*/15 * * * *', '0 * * * *', '7,37 * * * *', '20 */2 * * *']

  test('over six hours in which a process dies every few minutes', async () => {
    const user = await app.addUser()
    const startAt = app.clock.now()
    const ids = new Map<number, string>()
    for (let n = 0; n < 20; n++) {
      const cron = CRONS[n % CRONS.length] as string
      ids.set(await plan(user, { recurrence: { cron, timezone: 'UTC' } }), cron)
    }
    for (let minute = 0; minute < 6 * 60; minute++) {
      app.advanceSeconds(60)
      // A minute is longer than a lease: the next round gets the jobs of the dead process.
      await (minute % 15 === 14 ? claimAndDie() : app.runDueJobs())
    }
    await pass(60)
    let sent = 0
    for (const [id, cron] of ids) {
      const moments = await momentsOf(id)
      expect(moments, cron).toEqual(expectedMoments(cron, instant(startAt - 1), app.clock.now()))
      expect(await read(user, id)).toMatchObject({ status: 'scheduled', occurrence: moments.length })
      sent += moments.length
    }
    expect(await used(user)).toBe(sent)
  })

  test('count and until are exact, although the last job is claimed by a process that dies', async () => {
    const user = await app.addUser()
    const hourly = { cron: '0 * * * *', timezone: 'UTC' }
    const counted = await plan(user, { recurrence: { ...hourly, count: 3 } })
    const until = new Date(Math.ceil(app.clock.now() / 3_600_000) * 3_600_000 + 2 * 3_600_000).toISOString()
    const bounded = await plan(user, { recurrence: { ...hourly, until } })
    for (let hour = 0; hour < 6; hour++) {
      app.advanceSeconds(3600)
      await claimAndDie()
      await pass(LEASE_SECONDS + 1)
    }
    expect(await read(user, counted)).toMatchObject({ status: 'sent', occurrence: 3 })
    const last = await read(user, bounded)
    expect(last.status).toBe('sent')
    expect((await momentsOf(bounded)).at(-1)).toBe(fromRfc3339(until))
    expect(await momentsOf(counted)).toHaveLength(3)
  })
})

describe('R06 a clock that jumps', () => {
  const jump = async (seconds: number) => {
    app.clock.set(instant(app.clock.now() + seconds * 1000))
    await app.runDueJobs()
  }

  async function titles(user: TestUser): Promise<string[]> {
    return (await inbox(user)).map(({ title }: { title: string }) => title).sort()
  }

  test('repeats no occurrence and loses no single send', async () => {
    const user = await app.addUser()
    for (const seconds of [600, 5400, 9000]) await plan(user, { title: `once ${seconds}`, send_at: later(seconds) })
    const hourly = await plan(user, { title: 'series', recurrence: { cron: '30 * * * *', timezone: 'UTC' } })
    for (const seconds of [3600, -7200, 3600, 1800, -1800]) await jump(seconds)
    for (let n = 0; n < 100; n++) await jump(n % 2 === 0 ? 1 : -1)
    for (let minutes = 0; minutes < 240; minutes += 10) await jump(600)
    expect((await titles(user)).filter((title) => title !== 'series')).toEqual(['once 5400', 'once 600', 'once 9000'])
    const moments = await momentsOf(hourly)
    expect(new Set(moments).size).toBe(moments.length)
    expect(moments).toEqual(expectedMoments('30 * * * *', instant((moments[0] as Instant) - 1), app.clock.now()))
  })

  test('does not repeat an alert that has ended', async () => {
    const user = await app.addUser()
    const acknowledge = { repeat_seconds: 30, expire_seconds: 60 }
    const { id } = (await app.post('/notifications', { title: 'T', body: 'B', acknowledge }, user.token)).body
    await jump(3600)
    const ended = (await app.get(`/notifications/receipts/${id}`, user.token)).body
    expect(ended.status).toBe('expired')
    for (const seconds of [-7200, 30, 30, 3600, 10 * 365 * 86_400]) await jump(seconds)
    // After ten years the receipt may be deleted; until then it is unchanged.
    await jump(-10 * 365 * 86_400)
    const { status, body } = await app.get(`/notifications/receipts/${id}`, user.token)
    if (status === 200) expect(body).toEqual(ended)
    else expect(status).toBe(404)
  })
})
