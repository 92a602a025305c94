// Changes of many notifications: read, unread again and deleted, by ids and by a filter.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
let other: TestUser
beforeEach(async () => {
  user = await app.addUser()
  other = await app.addUser()
})

const NONE = 987_654_321
const isoNow = () => new Date(app.clock.now()).toISOString()
const get = (path: string, token = user.token) => app.get(path, token)
const unread = async () => (await get('/notifications/unread-count')).body.count
const markRead = (body: unknown) => app.post('/notifications/read', body, user.token)

async function store(members: Record<string, unknown> = {}, { token } = user): Promise<number> {
  return (await app.post('/notifications', { title: 'T', body: 'B', push: false, ...members }, token)).body.id
}

describe('POST /notifications/read', () => {
  test('200 {unread: true} takes it back: only read ones count, and they are unread again', async () => {
    const [one, two] = [await store(), await store()]
    await markRead({ ids: [one] })
    const events = await openEvents(app.url, user.token)
    expect((await markRead({ ids: [one, two], unread: true })).body).toEqual({ updated: 1 })
    expect((await get(`/notifications/${one}`)).body).not.toHaveProperty('read_at')
    expect(await unread()).toBe(2)
    await markRead({ all: true })
    expect((await markRead({ all: true, unread: true })).body).toEqual({ updated: 2 })
    await eventually(() => expect(events.types()).toHaveLength(3))
    events.close()
    expect(events.events.map(({ event, data }) => [event, data.data])).toEqual([
      ['notification.unread', { ids: [one] }],
      ['notification.read', { all: true }],
      ['notification.unread', { ids: [two, one] }],
    ])
  })

  test('200 {filter} marks what meets every condition, and nothing else', async () => {
    const critical = await store({ level: 'critical', source: 'ci' })
    app.advanceSeconds(1)
    const before = isoNow()
    const later = await store({ level: 'critical', source: 'ci' })
    const others = [await store({ source: 'ci' }), await store({ level: 'critical', source: 'nas' })]
    const filter = { level: 'critical', source: 'ci', before }
    expect((await markRead({ filter })).body).toEqual({ updated: 1 })
    expect((await markRead({ filter })).body).toEqual({ updated: 0 })
    const { items } = (await get('/notifications?unread=true')).body
    expect(items.map(({ id }: { id: number }) => id).sort()).toEqual([later, ...others].sort())
    expect((await markRead({ filter, unread: true })).body).toEqual({ updated: 1 })
    expect((await get(`/notifications/${critical}`)).body).not.toHaveProperty('read_at')
  })

  test('200 {filter} by text and thread, over more than one window', async () => {
    const titles = Array.from({ length: 120 }, (_, index) => (index % 2 ? 'Odd' : 'Even'))
    await Promise.all(titles.map((title) => store({ title, thread_id: 't' })))
    await store({ title: 'Odd', thread_id: 'u' })
    expect((await markRead({ filter: { q: 'odd', thread_id: 't' } })).body).toEqual({ updated: 60 })
    expect(await unread()).toBe(61)
  })
})

describe('DELETE /notifications', () => {
  const removeAll = (body: unknown, token = user.token) => app.call('DELETE', '/notifications', { body, token })

  test('200 deletes those of the account, ignores others, and tells event streams of each', async () => {
    const [one, two, kept] = [await store(), await store(), await store()]
    const foreign = await store({}, other)
    await markRead({ ids: [two] })
    const events = await openEvents(app.url, user.token)
    expect((await removeAll({ ids: [two, one, foreign, NONE] })).body).toEqual({ deleted: 2 })
    expect(await unread()).toBe(1)
    expect((await get('/notifications')).body.items).toMatchObject([{ id: kept }])
    expect((await get(`/notifications/${foreign}`, other.token)).status).toBe(200)
    await eventually(() => expect(events.types()).toHaveLength(2))
    events.close()
    expect(events.events.map(({ event, data }) => [event, data.data])).toEqual([
      ['notification.deleted', { id: one }],
      ['notification.deleted', { id: two }],
    ])
  })

  test('200 more than one batch; alerts among them are canceled', async () => {
    const alert = await store({ push: true, acknowledge: {} })
    const ids = [alert]
    for (let count = 0; count < 25; count++) ids.push(await store())
    expect((await removeAll({ ids })).body).toEqual({ deleted: 26 })
    const receipt = await get(`/notifications/receipts/${alert}`)
    expect(receipt.body).toMatchObject({ status: 'canceled', cancel_reason: 'deleted' })
  })

  test('200 for 10 concurrent calls: each notification is counted once', async () => {
    const ids = [await store(), await store(), await store()]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => removeAll({ ids: index % 2 ? ids : ids.toReversed() })),
    )
    expect(answers.reduce((sum, { body }) => sum + body.deleted, 0)).toBe(3)
    expect(await unread()).toBe(0)
  })

  test('401 token.invalid, 403 for the default key, 422 without ids', async () => {
    expectProblem(await app.call('DELETE', '/notifications', { body: { ids: [1] } }), 401, 'token.invalid')
    expectProblem(await removeAll({ ids: [1] }, user.defaultKey), 403, 'integration_key.permission_denied')
    expectProblem(await removeAll({}), 422, 'request.validation_failed')
  })
})
