// Retention of read and unread notifications and of answers. Housekeeping deletes them in small batches.
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import type { Environment } from '../../../src/runtime/config.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const DAY = 86_400

async function startInbox(environment: Environment = {}) {
  const app = await startTestApp(environment)
  onTestFinished(() => app.stop())
  const { token, userId } = await app.addUser()
  const housekeep = async () => {
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
  }
  // Housekeeping runs every hour; once a month is enough here.
  const runFor = async (days: number) => {
    for (let left = days; left > 0; left -= 30) {
      app.advanceSeconds(Math.min(left, 30) * DAY)
      await housekeep()
    }
  }
  return {
    app,
    token,
    userId,
    housekeep,
    async store(title: string, members: object = {}): Promise<number> {
      return (await app.post('/notifications', { title, body: 'B', push: false, ...members }, token)).body.id
    },
    read: (id: number) => app.post('/notifications/read', { ids: [id] }, token),
    async titlesAfter(days: number): Promise<string[]> {
      await runFor(days)
      const { items } = (await app.get('/notifications', token)).body
      return items.map(({ title }: { title: string }) => title)
    },
    unread: async () => (await app.get('/notifications/unread-count', token)).body.count,
  }
}

describe('notifications', () => {
  test('R10 are kept 90 days when read and 365 when unread, and the unread count follows', async () => {
    const inbox = await startInbox()
    await inbox.read(await inbox.store('read'))
    await inbox.store('unread')
    expect(await inbox.titlesAfter(90)).toEqual(['unread', 'read'])
    expect(await inbox.titlesAfter(1 / DAY)).toEqual(['unread'])
    expect(await inbox.titlesAfter(275 - 1 / DAY)).toEqual(['unread'])
    expect(await inbox.unread()).toBe(1)
    expect(await inbox.titlesAfter(1 / DAY)).toEqual([])
    expect(await inbox.unread()).toBe(0)
  })

  test.each([
    [10, 20],
    [20, 10],
  ])('are kept %i days when read and %i when unread, if the operator configures it', async (readDays, unreadDays) => {
    const inbox = await startInbox({
      HELIOGRAPH_READ_RETENTION_DAYS: String(readDays),
      HELIOGRAPH_UNREAD_RETENTION_DAYS: String(unreadDays),
    })
    await inbox.read(await inbox.store('read'))
    await inbox.store('unread')
    expect((await inbox.titlesAfter(10)).sort()).toEqual(['read', 'unread'])
    expect(await inbox.titlesAfter(1)).toEqual([readDays > unreadDays ? 'read' : 'unread'])
    expect(await inbox.titlesAfter(10)).toEqual([])
    expect(await inbox.unread()).toBe(0)
  })

  test('are deleted with their timelines, in several batches, without changing the counts of other accounts', async () => {
    const inbox = await startInbox()
    const neighbour = await inbox.app.addUser()
    await inbox.app.post('/notifications', { title: 'T', body: 'B', push: false }, neighbour.token)
    await inbox.read(await inbox.store('with a timeline'))
    // Two batches of 500 and one more.
    const now = inbox.app.clock.now()
    await inbox.app.app.ctx.db.transact(async (tx) => {
      for (let count = 0; count < 1001; count++) {
        await tx.execute(sql`insert into notifications (user_id, level, pushed, bytes, created_at, read_at)
          values (${inbox.userId}, 'active', 0, 0, ${now}, ${now})`)
      }
    })
    expect(await inbox.titlesAfter(91)).toEqual([])
    const left = await inbox.app.app.ctx.db.read.all<{ user_id: string }>(sql`select user_id from notifications`)
    expect(left).toEqual([{ user_id: neighbour.userId }])
    expect(await inbox.app.app.ctx.db.read.all(sql`select id from timeline`)).toEqual([])
    expect((await inbox.app.get('/notifications/unread-count', neighbour.token)).body.count).toBe(1)
  })

  test('F19.15 the oldest are deleted when an inbox exceeds its size limit, read or not, and no more than needed', async () => {
    const inbox = await startInbox({ HELIOGRAPH_INBOX_MEGABYTES: '1' })
    const text = 'x'.repeat(4096)
    // 8.2 KB each, because the text is stored a second time for searches.
    for (let count = 1; count <= 140; count++) {
      const id = await inbox.store(String(count), { body: text })
      if (count % 2) await inbox.read(id)
    }
    const sizeOf = () =>
      inbox.app.app.ctx.db.read.all<{ kept: number; counted: number }>(sql`select cast(sum(bytes) as bigint) as kept,
        (select inbox_bytes from feeds where user_id = ${inbox.userId}) as counted from notifications`)
    const [before] = await sizeOf()
    expect(before?.kept).toBeGreaterThan(1_048_576)
    await inbox.housekeep()
    const [after] = await sizeOf()
    expect(after?.kept).toBe(after?.counted)
    expect(after?.kept).toBeLessThanOrEqual(1_048_576)
    expect(after?.kept).toBeGreaterThan(1_048_576 - 9000)
    const left = await inbox.app.app.ctx.db.read.all<{ id: number }>(sql`select id from notifications order by id`)
    expect(left.map(({ id }) => id)).toEqual(left.map((_, index) => (left[0]?.id ?? 0) + index))
    expect((await inbox.titlesAfter(0))[0]).toBe('140')
    const unreadRows = await inbox.app.app.ctx.db.read.all(sql`select id from notifications where read_at is null`)
    expect(await inbox.unread()).toBe(unreadRows.length)
  })

  test('F19.15 0 megabytes means no limit, and deleting one frees its bytes', async () => {
    const inbox = await startInbox({ HELIOGRAPH_INBOX_MEGABYTES: '0' })
    const id = await inbox.store('one', { body: 'x'.repeat(4096) })
    await inbox.housekeep()
    expect(await inbox.titlesAfter(0)).toEqual(['one'])
    await inbox.app.del(`/notifications/${id}`, inbox.token)
    const feed = await inbox.app.app.ctx.db.read.all(sql`select inbox_bytes from feeds where user_id = ${inbox.userId}`)
    expect(feed).toEqual([{ inbox_bytes: 0 }])
  })

  test('F19.6 a clock that jumps ten years ahead deletes nothing for a day, and nothing if it is corrected', async () => {
    const inbox = await startInbox()
    await inbox.read(await inbox.store('read'))
    await inbox.store('unread')
    await inbox.housekeep()
    inbox.app.advanceSeconds(3650 * DAY)
    await inbox.housekeep()
    expect(await inbox.titlesAfter(23 / 24)).toEqual(['unread', 'read'])
    inbox.app.advanceSeconds(-3651 * DAY)
    await inbox.housekeep()
    expect(await inbox.titlesAfter(2)).toEqual(['unread', 'read'])
    expect(await inbox.titlesAfter(90)).toEqual(['unread'])
  })

  test('F19.6 a clock that stays ahead after a jump is trusted after a day', async () => {
    const inbox = await startInbox()
    await inbox.store('old')
    await inbox.housekeep()
    inbox.app.advanceSeconds(400 * DAY)
    await inbox.housekeep()
    expect(await inbox.titlesAfter(1)).toEqual([])
  })

  test('stored while the clock was ahead are deleted together with older ones', async () => {
    const inbox = await startInbox()
    inbox.app.advanceSeconds(3650 * DAY)
    await inbox.store('from the future')
    inbox.app.advanceSeconds(-3650 * DAY)
    await inbox.store('old')
    await inbox.housekeep()
    expect(await inbox.titlesAfter(366)).toEqual([])
  })
})

describe('answers', () => {
  test('R10 are kept 30 days, also when the notification is kept longer', async () => {
    const inbox = await startInbox()
    const id = await inbox.store('question', { actions: [{ id: 'ok', title: 'OK' }] })
    const ticket = makeTicket(inbox.app.app.ctx.signingKey, id as NotificationId)
    const read = () => inbox.app.get(`/notifications/answers/${id}`, inbox.token)
    await inbox.titlesAfter(30)
    expect((await inbox.app.post(`/answers/${ticket}`, { action_id: 'ok' })).status).toBe(200)
    expect((await read()).body.action_id).toBe('ok')
    expect(await inbox.titlesAfter(1 / DAY)).toEqual(['question'])
    expectProblem(await read(), 404, 'notification_answer.not_found')
    const late = await inbox.app.post(`/answers/${ticket}`, { action_id: 'ok' })
    expectProblem(late, 404, 'notification_answer.not_found')
  })
})

describe('housekeeping', () => {
  test('runs at the start and every hour', async () => {
    const inbox = await startInbox()
    const jobs = () =>
      inbox.app.app.ctx.db.read.all<{ run_at: number }>(sql`select run_at from jobs where kind = 'housekeeping'`)
    inbox.app.app.worker.start()
    const next = inbox.app.clock.now() + 3_600_000
    await eventually(async () => expect(await jobs()).toEqual([{ run_at: next }]))
    inbox.app.advanceSeconds(3600)
    await eventually(async () => {
      inbox.app.advanceSeconds(1)
      const [job, ...more] = await jobs()
      expect(job?.run_at).toBeGreaterThanOrEqual(next + 3_600_000)
      expect(more).toEqual([])
    })
  })
})
