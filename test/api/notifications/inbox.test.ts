// The inbox by endpoint: read one, unread count, mark as read, delete. The list is in inbox-list.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

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
const markRead = (body: unknown, token = user.token) => app.post('/notifications/read', body, token)
const remove = (id: number, token = user.token) => app.del(`/notifications/${id}`, token)

async function store(members: Record<string, unknown> = {}, { token } = user): Promise<number> {
  return (await app.post('/notifications', { title: 'T', body: 'B', push: false, ...members }, token)).body.id
}

// Callers that every endpoint here refuses.
const widgetToken = () => createToken(app.app.ctx, user.userId, 'hlw')
const keyWithout = () => app.addKey(user, { permissions: { widgets: 'write' } })

describe('GET /notifications/:id', () => {
  test('200 for full-access tokens and keys of the account, whichever sent it', async () => {
    const id = await store()
    const key = await app.addKey(user, { permissions: { notifications: 'send' } })
    const expected = { id, title: 'T', body: 'B', level: 'active', pushed: false, created_at: isoNow() }
    expect((await get(`/notifications/${id}`)).body).toEqual(expected)
    expect((await get(`/notifications/${id}`, key)).body).toEqual(expected)
  })

  test('200 with read_at once it was read', async () => {
    const id = await store()
    await markRead({ ids: [id] })
    expect((await get(`/notifications/${id}`)).body.read_at).toBe(isoNow())
  })

  test('401 token.invalid', async () => {
    expectProblem(await app.get('/notifications/1'), 401, 'token.invalid')
  })

  test('403 for a key without notifications and for a widget token', async () => {
    expectProblem(await get('/notifications/1', await keyWithout()), 403, 'integration_key.permission_denied')
    expectProblem(await get('/notifications/1', await widgetToken()), 403, 'widget.token_not_permitted')
  })

  test('404 notification.not_found is the same for another account’s notification and an unknown one', async () => {
    const id = await store({}, other)
    const [foreign, unknown] = [await get(`/notifications/${id}`), await get(`/notifications/${NONE}`)]
    expectProblem(foreign, 404, 'notification.not_found')
    expectProblem(unknown, 404, 'notification.not_found')
    expect(foreign.body.detail.replace(String(id), '')).toBe(unknown.body.detail.replace(String(NONE), ''))
  })

  test.each(['x', '1.5', '0', '-1', '1e3x', '9007199254740992'])('422 for the id %s', async (id) => {
    const refused = await get(`/notifications/${id}`)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['path.id'])
  })
})

describe('GET /notifications/unread-count', () => {
  test('200 counts unread notifications, push false included', async () => {
    expect(await unread()).toBe(0)
    const id = await store()
    await store({ push: true })
    await store({}, other)
    expect(await unread()).toBe(2)
    await markRead({ ids: [id] })
    expect(await unread()).toBe(1)
  })

  test('401 token.invalid, 403 integration_key.permission_denied, widget.token_not_permitted', async () => {
    const path = '/notifications/unread-count'
    expectProblem(await app.get(path), 401, 'token.invalid')
    expectProblem(await get(path, await keyWithout()), 403, 'integration_key.permission_denied')
    expectProblem(await get(path, await widgetToken()), 403, 'widget.token_not_permitted')
  })
})

describe('GET /notifications/:id/timeline', () => {
  const timeline = async (id: number) => (await get(`/notifications/${id}/timeline`)).body.items

  test('200 starts with accepted and stored, and has later events in order', async () => {
    const id = await store({ actions: [{ id: 'ok', title: 'OK' }] })
    const sentAt = isoNow()
    app.advanceSeconds(5)
    await app.post(`/notifications/${id}/answer`, { action_id: 'ok' }, user.token)
    const answeredAt = isoNow()
    app.advanceSeconds(5)
    await markRead({ ids: [id] })
    expect(await timeline(id)).toEqual([
      { at: sentAt, event: 'accepted' },
      { at: sentAt, event: 'stored' },
      { at: answeredAt, event: 'answered', detail: 'ok' },
      { at: isoNow(), event: 'read' },
    ])
  })

  test('200 marking all as read adds an event to each', async () => {
    const ids = [await store(), await store()]
    await markRead({ all: true })
    for (const id of ids) expect((await timeline(id)).at(-1)).toEqual({ at: isoNow(), event: 'read' })
  })

  test('401, 403, 404 and 422 as for the notification itself', async () => {
    expectProblem(await app.get('/notifications/1/timeline'), 401, 'token.invalid')
    const denied = await get('/notifications/1/timeline', await keyWithout())
    expectProblem(denied, 403, 'integration_key.permission_denied')
    const foreign = await store({}, other)
    expectProblem(await get(`/notifications/${foreign}/timeline`), 404, 'notification.not_found')
    expectProblem(await get('/notifications/x/timeline'), 422, 'request.validation_failed')
  })
})

describe('POST /notifications/read', () => {
  test('200 {ids}: counts each unread one once, and ignores other accounts', async () => {
    const [one, two, foreign] = [await store(), await store(), await store({}, other)]
    expect((await markRead({ ids: [one, one, NONE, foreign] })).body).toEqual({ updated: 1 })
    const readAt = isoNow()
    app.advanceSeconds(60)
    expect((await markRead({ ids: [one, two] })).body).toEqual({ updated: 1 })
    expect((await get(`/notifications/${one}`)).body.read_at).toBe(readAt)
    expect((await get(`/notifications/${foreign}`, other.token)).body).not.toHaveProperty('read_at')
  })

  test('200 {all: true}', async () => {
    for (let count = 0; count < 3; count++) await store()
    expect((await markRead({ all: true })).body).toEqual({ updated: 3 })
    expect((await markRead({ all: true })).body).toEqual({ updated: 0 })
    expect(await unread()).toBe(0)
  })

  test('200 {ids: []} changes nothing, and 100 ids are allowed', async () => {
    await store()
    expect((await markRead({ ids: [] })).body).toEqual({ updated: 0 })
    const ids = Array.from({ length: LIMITS.notification.maxIdsAtOnce }, (_, index) => NONE + index)
    expect((await markRead({ ids })).body).toEqual({ updated: 0 })
    expect(await unread()).toBe(1)
  })

  test('200 for 20 concurrent calls: each notification is counted once', async () => {
    const ids = [await store(), await store()]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => markRead(index % 2 ? { ids } : { all: true })),
    )
    expect(answers.reduce((sum, { body }) => sum + body.updated, 0)).toBe(2)
    expect(await unread()).toBe(0)
  })

  test('200 event streams get the changes', async () => {
    const [one, two] = [await store(), await store()]
    const events = await openEvents(app.url, user.token)
    await markRead({ ids: [one] })
    await markRead({ all: true })
    await markRead({ ids: [two] })
    await remove(two)
    await eventually(() => expect(events.types()).toHaveLength(3))
    events.close()
    expect(events.events.map(({ event, data }) => [event, data.data])).toEqual([
      ['notification.read', { ids: [one] }],
      ['notification.read', { all: true }],
      ['notification.deleted', { id: two }],
    ])
  })

  test('400 request.body_required', async () => {
    expectProblem(await markRead(undefined), 400, 'request.body_required')
  })

  test('401 token.invalid, 403 for the default key and for a widget token', async () => {
    expectProblem(await app.post('/notifications/read', { all: true }), 401, 'token.invalid')
    await store()
    expectProblem(await markRead({ all: true }, user.defaultKey), 403, 'integration_key.permission_denied')
    expectProblem(await markRead({ all: true }, await widgetToken()), 403, 'widget.token_not_permitted')
    expect(await unread()).toBe(1)
  })

  test.each([
    {},
    { all: false },
    { ids: [1], all: true },
    { all: true, filter: {} },
    { unread: true },
    { filter: { limit: 5 } },
    { ids: 'all' },
    { ids: [0] },
    { ids: [1.5] },
    { ids: ['1'] },
    { ids: [1e300] },
    { ids: Array(LIMITS.notification.maxIdsAtOnce + 1).fill(1) },
    { id: 1 },
  ])('422 request.validation_failed (case %#)', async (body) => {
    expectProblem(await markRead(body), 422, 'request.validation_failed')
  })
})

describe('DELETE /notifications/:id', () => {
  test('204, then 404; an unread one no longer counts', async () => {
    const [one, two] = [await store(), await store()]
    await markRead({ ids: [two] })
    const answer = await remove(one)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await unread()).toBe(0)
    expect((await remove(two)).status).toBe(204)
    expect(await unread()).toBe(0)
    expectProblem(await remove(one), 404, 'notification.not_found')
    expectProblem(await get(`/notifications/${one}`), 404, 'notification.not_found')
    expectProblem(await get(`/notifications/${one}/timeline`), 404, 'notification.not_found')
  })

  test('204 for exactly one of 10 concurrent deletions', async () => {
    const id = await store()
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9)
    expect(await unread()).toBe(0)
  })

  test('204 and the sender can still read its answer', async () => {
    const id = await store({ actions: [{ id: 'ok', title: 'OK' }] })
    await app.post(`/notifications/${id}/answer`, { action_id: 'ok' }, user.token)
    await remove(id)
    expect((await get(`/notifications/answers/${id}`)).body).toMatchObject({ status: 'answered', action_id: 'ok' })
  })

  test('401 token.invalid, 403 for the default key', async () => {
    const id = await store()
    expectProblem(await app.del(`/notifications/${id}`), 401, 'token.invalid')
    expectProblem(await remove(id, user.defaultKey), 403, 'integration_key.permission_denied')
    expect((await get(`/notifications/${id}`)).status).toBe(200)
  })

  test('404 notification.not_found for one of another account, which is kept', async () => {
    const id = await store({}, other)
    expectProblem(await remove(id), 404, 'notification.not_found')
    expect((await get(`/notifications/${id}`, other.token)).status).toBe(200)
  })

  test('422 request.validation_failed for a malformed id', async () => {
    expectProblem(await app.del('/notifications/x', user.token), 422, 'request.validation_failed')
  })
})
