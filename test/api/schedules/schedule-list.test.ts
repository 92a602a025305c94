// Reading, listing and canceling schedules.
import { describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()
const SCHEDULE_LEVEL = { permissions: { notifications: 'schedule' } }
const later = (seconds: number) => new Date(app.clock.now() + seconds * 1000).toISOString()

type Token = { token: string }

async function plan({ token }: Token, seconds: number, members: object = {}): Promise<number> {
  const body = { title: 'T', body: 'B', send_at: later(seconds), ...members }
  const { status, text, body: schedule } = await app.post('/notifications/scheduled', body, token)
  if (status !== 201) throw new Error(text)
  return schedule.id
}

const list = async ({ token }: Token, query = '') => (await app.get(`/notifications/scheduled${query}`, token)).body
const ids = async (who: Token, query = ''): Promise<number[]> =>
  (await list(who, query)).items.map(({ id }: { id: number }) => id)
const cancel = ({ token }: Token, id: number, query = '') => app.del(`/notifications/scheduled/${id}${query}`, token)
const read = ({ token }: Token, id: number) => app.get(`/notifications/scheduled/${id}`, token)

async function passSeconds(seconds: number): Promise<void> {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

describe('GET /notifications/scheduled', () => {
  test('200 pending schedules, soonest first, then by id', async () => {
    const user = await app.addUser()
    const [c, a, b] = [await plan(user, 300), await plan(user, 100), await plan(user, 100)]
    expect(await list(user)).toMatchObject({ items: [{ id: a }, { id: b }, { id: c }], has_more: false })
    expect(await list(user)).not.toHaveProperty('next_cursor')
    expect(await ids(user, '?status=scheduled')).toEqual([a, b, c])
  })

  test('200 a page has at most about a megabyte, and every schedule is on one page', async () => {
    const user = await app.addUser()
    const action = {
      title: 'T',
      url: `https://example.com/${'x'.repeat(2000)}`,
      body: 'y'.repeat(1024),
      method: 'POST',
    }
    const members = { actions: Array.from({ length: 10 }, (_, n) => ({ id: `a${n}`, ...action })) }
    const planned: number[] = []
    // Twice as many as may be pending, so the first half must have ended.
    for (let n = 1; n <= 50; n++) {
      planned.push(await plan(user, n * 60, members))
      if (n === 25) await app.app.ctx.db.transact((tx) => tx.run(sql`update schedules set status = 'failed'`))
    }
    const pages: number[][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await list(user, `?status=all&limit=100${cursor && `&cursor=${cursor}`}`)
      expect(JSON.stringify(page.items).length).toBeLessThan(1_050_000)
      pages.push(page.items.map(({ id }: { id: number }) => id))
      cursor = page.next_cursor
    }
    expect(pages.length).toBe(2)
    expect(pages.flat()).toEqual(planned.toReversed())
  })

  test('200 other statuses latest first: by sent_at, canceled_at or send_at, then by id', async () => {
    const user = await app.addUser()
    const [first, second] = [await plan(user, 60), await plan(user, 120)]
    const [canceled, pending] = [await plan(user, 9000), await plan(user, 3600)]
    await passSeconds(60)
    await passSeconds(60)
    app.advanceSeconds(1)
    await cancel(user, canceled)
    expect(await ids(user, '?status=sent')).toEqual([second, first])
    expect(await ids(user, '?status=canceled')).toEqual([canceled])
    expect(await ids(user, '?status=failed')).toEqual([])
    expect(await ids(user, '?status=all')).toEqual([pending, canceled, second, first])
  })

  test.each(['scheduled', 'all'])('200 pages of %s are stable: no duplicates, no gaps', async (status) => {
    const user = await app.addUser()
    for (const seconds of [500, 100, 300, 300, 300, 200, 400]) await plan(user, seconds)
    const all = await ids(user, `?status=${status}`)
    const seen: number[] = []
    let cursor = ''
    do {
      const page = await list(user, `?status=${status}&limit=2${cursor}`)
      expect(page.has_more).toBe(page.next_cursor !== undefined)
      seen.push(...page.items.map(({ id }: { id: number }) => id))
      // New schedules on every page, before and after the cursor.
      await plan(user, 1)
      await plan(user, 10_000)
      cursor = page.next_cursor && `&cursor=${page.next_cursor}`
    } while (cursor)
    expect(seen.filter((id) => all.includes(id))).toEqual(all)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('200 a key sees its own, a full-access token all of the account, another account none', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const keys = [{ token: await app.addKey(user, SCHEDULE_LEVEL) }, { token: await app.addKey(user, SCHEDULE_LEVEL) }]
    const made = [await plan(keys[0] as Token, 10), await plan(keys[1] as Token, 20), await plan(user, 30)]
    expect(await ids(keys[0] as Token)).toEqual([made[0]])
    expect(await ids(keys[1] as Token, '?status=all')).toEqual([made[1]])
    expect(await ids(user)).toEqual(made)
    expect(await ids(other)).toEqual([])
  })

  test('400 cursor.invalid for a forged cursor, and for one of another status', async () => {
    const user = await app.addUser()
    for (const seconds of [1, 2]) await plan(user, seconds)
    const { next_cursor } = await list(user, '?limit=1')
    const other = await app.get(`/notifications/scheduled?status=all&cursor=${next_cursor}`, user.token)
    expectProblem(other, 400, 'cursor.invalid')
    expectProblem(await app.get('/notifications/scheduled?cursor=x', user.token), 400, 'cursor.invalid')
  })

  test.each(['limit=0', 'limit=101', 'status=sending'])('422 for ?%s', async (query) => {
    const user = await app.addUser()
    expectProblem(await app.get(`/notifications/scheduled?${query}`, user.token), 422, 'request.validation_failed')
  })
})

describe('GET /notifications/scheduled/{id}', () => {
  test('404 for an unknown schedule, one of another key and one of another account; 422 for a malformed id', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const key = { token: await app.addKey(user, SCHEDULE_LEVEL) }
    const id = await plan(user, 60)
    for (const who of [key, other]) expectProblem(await read(who, id), 404, 'scheduled_notification.not_found')
    expectProblem(await read(user, 987_654_321), 404, 'scheduled_notification.not_found')
    expectProblem(await app.get('/notifications/scheduled/soon', user.token), 422, 'request.validation_failed')
    expect((await read(user, id)).status).toBe(200)
  })
})

describe('DELETE /notifications/scheduled/{id}', () => {
  test('204 a pending one is canceled, stays readable and is not sent; a second call changes nothing', async () => {
    const user = await app.addUser()
    const id = await plan(user, 60)
    expect((await cancel(user, id)).status).toBe(204)
    const canceled = (await read(user, id)).body
    expect(canceled).toMatchObject({ status: 'canceled', canceled_at: later(0) })
    app.advanceSeconds(5)
    expect((await cancel(user, id)).status).toBe(204)
    await passSeconds(60)
    expect((await read(user, id)).body).toEqual(canceled)
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('204 a series stops', async () => {
    const user = await app.addUser()
    const recurrence = { cron: '@hourly', timezone: 'UTC' }
    const id = await plan(user, 1, { recurrence })
    await passSeconds(3600)
    await cancel(user, id)
    await passSeconds(86_400)
    expect((await read(user, id)).body).toMatchObject({ status: 'canceled', occurrence: 1 })
    expect((await app.get('/notifications', user.token)).body.items).toHaveLength(1)
  })

  test('204 with purge nothing remains, whether pending or canceled', async () => {
    const user = await app.addUser()
    const [pending, canceled] = [await plan(user, 60), await plan(user, 60)]
    await cancel(user, canceled)
    for (const id of [pending, canceled]) {
      expect((await cancel(user, id, '?purge=true')).status).toBe(204)
      expectProblem(await read(user, id), 404, 'scheduled_notification.not_found')
    }
    await passSeconds(60)
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('204 the record of a sent one is deleted; the notification is kept', async () => {
    const user = await app.addUser()
    const id = await plan(user, 60)
    await passSeconds(60)
    expect((await cancel(user, id)).status).toBe(204)
    expectProblem(await read(user, id), 404, 'scheduled_notification.not_found')
    expect((await app.get('/notifications', user.token)).body.items).toHaveLength(1)
  })

  test('events distinguish canceling from deleting', async () => {
    const user: TestUser = await app.addUser()
    const events = await openEvents(app.url, user.token)
    const id = await plan(user, 60)
    await cancel(user, id)
    await cancel(user, id)
    await cancel(user, id, '?purge=true')
    await eventually(() =>
      expect(events.types()).toEqual(['schedule.created', 'schedule.canceled', 'schedule.deleted']),
    )
    events.close()
  })

  test('404 for an unknown schedule, one of another key and one of another account, which stay unchanged', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const key = { token: await app.addKey(user, SCHEDULE_LEVEL) }
    const id = await plan(user, 60)
    for (const who of [key, other]) {
      expectProblem(await cancel(who, id), 404, 'scheduled_notification.not_found')
      expectProblem(await cancel(who, id, '?purge=true'), 404, 'scheduled_notification.not_found')
    }
    expectProblem(await cancel(user, 987_654_321), 404, 'scheduled_notification.not_found')
    expect((await read(user, id)).body.status).toBe('scheduled')
    await passSeconds(60)
    expect((await read(user, id)).body.status).toBe('sent')
  })
})
