// GET /notifications: filters, search, and pages that stay stable during writes.
import { beforeEach, describe, expect, test } from 'vitest'
import { encodeCursor } from '../../../src/domain/cursor.ts'
import { plusSeconds, toRfc3339 } from '../../../src/domain/instant.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

type Item = { id: number; title: string }

async function store(title: string, members: Record<string, unknown> = {}, { token } = user): Promise<number> {
  return (await app.post('/notifications', { title, body: 'B', push: false, ...members }, token)).body.id
}

const list = (query: Record<string, string> = {}, token = user.token) =>
  app.get(`/notifications?${new URLSearchParams(query)}`, token)
const titles = async (query: Record<string, string> = {}) =>
  (await list(query)).body.items.map(({ title }: Item) => title)

describe('GET /notifications', () => {
  test('200 newest first, complete, without the members for the sender', async () => {
    await store('old')
    app.advanceSeconds(60)
    const id = await store('new', { source: 'ci', actions: [{ id: 'ok', title: 'OK' }] })
    await app.post('/notifications/read', { ids: [id] }, user.token)
    const now = new Date(app.clock.now()).toISOString()
    const { body } = await list()
    expect(body).toMatchObject({ has_more: false, items: [{ title: 'new' }, { title: 'old' }] })
    expect(body).not.toHaveProperty('next_cursor')
    expect(body.items[0]).toEqual({
      id,
      title: 'new',
      body: 'B',
      level: 'active',
      source: 'ci',
      actions: [{ id: 'ok', title: 'OK' }],
      pushed: false,
      created_at: now,
      read_at: now,
      answer: { status: 'pending' },
    })
  })

  test('200 an empty inbox', async () => {
    expect((await list()).body).toEqual({ items: [], has_more: false })
  })

  test('200 a key sees the inbox of its account, and no other', async () => {
    await store('mine')
    await store('theirs', {}, await app.addUser())
    const key = await app.addKey(user, { permissions: { notifications: 'send' } })
    expect((await list({}, key)).body.items).toMatchObject([{ title: 'mine' }])
  })

  test('200 by unread, source, thread and level, and by all of them together', async () => {
    const wanted = { source: 'ci', thread_id: 'build', level: 'passive' }
    const read = await store('read', wanted)
    await app.post('/notifications/read', { ids: [read] }, user.token)
    await store('wanted', wanted)
    await store('other source', { ...wanted, source: 'CI' })
    await store('other thread', { ...wanted, thread_id: 'deploy' })
    await store('other level', { ...wanted, level: 'critical' })
    expect(await titles({ unread: 'true' })).toEqual(['other level', 'other thread', 'other source', 'wanted'])
    expect(await titles({ unread: 'false' })).toHaveLength(5)
    expect(await titles({ source: 'CI' })).toEqual(['other source'])
    expect(await titles({ thread_id: 'deploy' })).toEqual(['other thread'])
    expect(await titles({ level: 'critical' })).toEqual(['other level'])
    expect(await titles({ ...wanted, unread: 'true' })).toEqual(['wanted'])
  })

  test('200 since and until are inclusive, in any offset', async () => {
    const times: string[] = []
    for (const title of ['a', 'b', 'c']) {
      times.push(new Date(app.clock.now()).toISOString())
      await store(title)
      app.advanceSeconds(60)
    }
    const [, b = ''] = times
    expect(await titles({ since: b })).toEqual(['c', 'b'])
    expect(await titles({ until: b })).toEqual(['b', 'a'])
    const inTokyo = new Date(Date.parse(b) + 9 * 3_600_000).toISOString().replace('Z', '+09:00')
    expect(await titles({ since: inTokyo, until: inTokyo })).toEqual(['b'])
  })

  test('200 until finds what was sent after the clock was set back by some hours', async () => {
    const start = app.clock.now()
    for (let count = 0; count < 4; count++) {
      app.clock.set(start)
      await store('in time')
      app.clock.set(plusSeconds(start, 3600))
      await store('too late')
    }
    expect(await titles({ until: toRfc3339(start) })).toEqual(Array(4).fill('in time'))
  })

  test.each([
    ['full', ['Disk FULL']],
    ['FULL', ['Disk FULL']],
    ['äpfel', ['Äpfel']],
    ['a\u0308pfel', ['Äpfel']],
    ['100%', ['100% done']],
    ['%', ['100% done']],
    ['_', ['snake_case']],
    ['e_c', ['snake_case']],
    ['e%c', []],
    ['!', ['wow!']],
    ['\\', ['back\\slash']],
    ["o'", ["O'Neill; drop table notifications"]],
    ['drop table', ["O'Neill; drop table notifications"]],
    ['привет', ['Привет']],
    ['in the body', ['plain']],
    ['source only', []],
  ])('200 q=%s is searched in title and body, literally and ignoring case', async (q, found) => {
    for (const title of ['Disk FULL', 'Äpfel', '100% done', 'snake_case', 'wow!', 'back\\slash']) await store(title)
    await store("O'Neill; drop table notifications")
    await store('Привет')
    await store('plain', { body: 'It stands In The Body.', source: 'source only' })
    expect(await titles({ q })).toEqual(found)
  })

  test('401 token.invalid, 403 for a key without notifications and for a widget token', async () => {
    expectProblem(await app.get('/notifications'), 401, 'token.invalid')
    const key = await app.addKey(user, { permissions: { widgets: 'write' } })
    expectProblem(await list({}, key), 403, 'integration_key.permission_denied')
    const widgetToken = await createToken(app.app.ctx, user.userId, 'hlw')
    expectProblem(await list({}, widgetToken), 403, 'widget.token_not_permitted')
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=x',
    'unread=maybe',
    'level=loud',
    'since=yesterday',
    'q=',
    'q=%00',
  ])('422 request.validation_failed for %s', async (query) => {
    const refused = await app.get(`/notifications?${query}`, user.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual([`query.${query.split('=')[0]}`])
  })

  test.each(['2026-02-30T00:00:00Z', '2016-12-31T23:59:60Z', '2026-11-15'])(
    '422 since=%s is not a time',
    async (since) => {
      expectProblem(await list({ since }), 422, 'request.validation_failed')
    },
  )
})

describe('GET /notifications in pages', () => {
  async function readAll(query: Record<string, string>, between: () => Promise<unknown> = async () => {}) {
    const pages: number[][] = []
    for (let cursor: string | undefined; ; ) {
      const { body } = await list({ ...query, ...(cursor && { cursor }) })
      pages.push(body.items.map(({ id }: Item) => id))
      expect(body.has_more).toBe(body.next_cursor !== undefined)
      cursor = body.next_cursor
      if (!cursor) return pages
      await between()
    }
  }

  test('200 50 per page by default, 100 at most; the last page has no cursor', async () => {
    await Promise.all(Array.from({ length: 101 }, (_, index) => store(`n${index}`)))
    expect((await readAll({})).map((page) => page.length)).toEqual([50, 50, 1])
    expect((await readAll({ limit: '100' })).map((page) => page.length)).toEqual([100, 1])
  })

  test('200 a full last page has no cursor', async () => {
    for (const title of ['a', 'b', 'c', 'd']) await store(title)
    expect((await readAll({ limit: '2' })).map((page) => page.length)).toEqual([2, 2])
  })

  test('200 no duplicates or gaps while notifications arrive and the row of the cursor is deleted', async () => {
    const before: number[] = []
    for (let count = 0; count < 12; count++) before.push(await store(`n${count}`))
    const newestFirst = before.toReversed()
    let page = 0
    const pages = await readAll({ limit: '3' }, async () => {
      page += 1
      await Promise.all(Array.from({ length: 5 }, () => store('late')))
      // The row at the cursor.
      await app.del(`/notifications/${newestFirst[page * 3 - 1]}`, user.token)
    })
    expect(pages.flat()).toEqual(newestFirst)
  })

  test('200 a cursor continues within the filter it is sent with', async () => {
    for (const source of ['a', 'b', 'a', 'b', 'a']) await store(source, { source })
    const first = (await list({ source: 'a', limit: '2' })).body
    expect(first.items).toHaveLength(2)
    const second = (await list({ source: 'a', limit: '2', cursor: first.next_cursor })).body
    expect(second).toMatchObject({ items: [{ title: 'a' }], has_more: false })
  })

  test('200 a cursor of another account shows none of its notifications', async () => {
    const other = await app.addUser()
    for (const title of ['x', 'y', 'z']) await store(title, {}, other)
    const { next_cursor } = (await list({ limit: '1' }, other.token)).body
    expect((await list({ cursor: next_cursor })).body.items).toEqual([])
  })

  test.each([
    'x',
    'djE6',
    encodeCursor(1.5),
    encodeCursor(-1),
    `${encodeCursor(1)}=`,
    Buffer.from('v2:1').toString('base64url'),
  ])('400 cursor.invalid for %s', async (cursor) => {
    expectProblem(await list({ cursor }), 400, 'cursor.invalid')
  })

  test('422 request.validation_failed for an empty or overlong cursor', async () => {
    expectProblem(await list({ cursor: '' }), 422, 'request.validation_failed')
    expectProblem(await list({ cursor: 'x'.repeat(513) }), 422, 'request.validation_failed')
  })
})
