// F05: lists, searches and "read all" on a large inbox run in slices, so that no request blocks the event loop.
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { fillInbox } from '../../support/filled-inbox.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

type Item = { id: number; title: string; read_at?: string }
type Page = { items: Item[]; next_cursor?: string; has_more: boolean }

const list = async (query: Record<string, string> = {}): Promise<Page> =>
  (await app.get(`/notifications?${new URLSearchParams(query)}`, user.token)).body
const send = async (members: object = {}) =>
  (await app.post('/notifications', { title: 'Sent', body: 'B', push: false, ...members }, user.token)).body.id
const titles = ({ items }: Page) => items.map(({ title }) => title)
const unreadCount = async () => (await app.get('/notifications/unread-count', user.token)).body.count
const unreadRows = () =>
  app.app.ctx.db.read.all(sql`select id from notifications where user_id = ${user.userId} and read_at is null`)
const fill = (count: number, more: object = {}) =>
  fillInbox(app.app.ctx.db, user.userId, { count, firstAt: app.clock.now() - count * 1000, ...more })

async function pagesOf(query: Record<string, string>): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await list({ ...query, ...(cursor && { cursor }) })
    pages.push(page)
    cursor = page.next_cursor
    if (!cursor) return pages
  }
}

// Counts the slices that `work` takes. `before` runs ahead of each, with its number from 1.
async function slicesOf<Result>(work: () => Promise<Result>, before: (slice: number) => unknown = () => {}) {
  const { ctx } = app.app
  const { slices } = ctx
  let count = 0
  ctx.slices = async (owner, slice) => {
    await before(++count)
    return slices(owner, slice)
  }
  try {
    return { result: await work(), count }
  } finally {
    ctx.slices = slices
  }
}

describe('GET /notifications with a filter', () => {
  test.each([
    ['source', { source: 'rare' }],
    ['thread_id', { thread_id: 'rare' }],
    ['level', { level: 'critical' }],
    ['q', { q: 'needle' }],
  ])('200 %s finds a match below thousands of others, in slices', async (_name, query) => {
    const id = await send({ source: 'rare', thread_id: 'rare', level: 'critical', body: 'A needle.' })
    await fill(3000)
    const { result, count } = await slicesOf(() => list(query))
    expect(result).toMatchObject({ items: [{ id }], has_more: false })
    expect(count).toBe('q' in query ? 31 : 7)
  })

  test('200 a page ends early, with a cursor at the end of the scan, when too many rows do not match', async () => {
    const id = await send({ source: 'rare' })
    await fill(51_000)
    const { result: first, count } = await slicesOf(() => list({ source: 'rare' }))
    expect(first).toMatchObject({ items: [], has_more: true, next_cursor: expect.any(String) })
    expect(count).toBe(100)
    const second = await list({ source: 'rare', cursor: first.next_cursor as string })
    expect(second).toMatchObject({ items: [{ id }], has_more: false })
  })

  test('200 matches across scan windows and pages are returned once each, newest first', async () => {
    await fill(700, { source: 'even' })
    await fill(700, { source: 'odd', read: true })
    await fill(700, { source: 'even' })
    const pages = await pagesOf({ source: 'even', limit: '90' })
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
    expect(ids).toHaveLength(1400)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
    expect(pages.map(({ items }) => items.length)).toEqual([...Array(15).fill(90), 50])
  })

  test('200 a time range is found without scanning newer or older rows', async () => {
    const start = app.clock.now() - 30_000 * 60_000
    await fill(30_000, { firstAt: start, apartMs: 60_000 })
    const at = (n: number) => new Date(start + n * 60_000).toISOString()
    const range = { since: at(9_000), until: at(9_004) }
    const { result, count } = await slicesOf(() => list(range))
    expect(titles(result)).toEqual([9004, 9003, 9002, 9001, 9000].map((n) => `Entry ${n}`))
    // A day has 1,440 of them: one day of margin on either side is about seven windows of 500.
    expect(count).toBeLessThan(10)
    expect(await slicesOf(() => list({ until: at(0) }))).toMatchObject({ result: { items: [] } })
  })
})

const LARGE_ACTION = { title: 'T', url: `https://example.com/${'x'.repeat(2000)}` }
const LARGE = {
  body: 'ü'.repeat(4000),
  actions: Array.from({ length: 10 }, (_, n) => ({ id: `a${n}`, ...LARGE_ACTION })),
}

describe('a page of the inbox', () => {
  test('200 has at most about a megabyte, and at least one item', async () => {
    for (let n = 0; n < 40; n++) await send(LARGE)
    for (const query of [{}, { q: 'üü' }] as Record<string, string>[]) {
      const pages = await pagesOf({ ...query, limit: '100' })
      const bytes = pages.map((page) => JSON.stringify(page).length)
      expect(pages.length).toBeGreaterThan(1)
      expect(Math.max(...bytes)).toBeLessThan(1_050_000)
      expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(40)
    }
  })
})

describe('a large notification', () => {
  test.each([
    ['alone', (id: number) => `/notifications/${id}`],
    ['as a page of one', () => '/notifications?limit=1'],
  ])('200 read %s waits for a slice; a small one does not', async (_, pathOf) => {
    const slicesFor = async (members: object) => {
      const path = pathOf(await send(members))
      const { result, count } = await slicesOf(() => app.get(path, user.token))
      expect(result.status).toBe(200)
      return count
    }
    expect([await slicesFor({}), await slicesFor(LARGE)]).toEqual([0, 1])
  })
})

describe('POST /notifications/read {all: true}', () => {
  const readAll = async () => (await app.post('/notifications/read', { all: true }, user.token)).body.updated
  const events = () =>
    app.app.ctx.db.read.all<{ data: string }>(
      sql`select data from events where user_id = ${user.userId} and type = 'notification.read'`,
    )

  test.each([1, 499, 500, 501, 1700])('200 marks %i in batches of 500, with one event', async (count) => {
    await fill(count)
    const { result, count: slices } = await slicesOf(readAll)
    expect(result).toBe(count)
    expect(slices).toBe(Math.ceil(count / 500))
    expect([await unreadCount(), await unreadRows()]).toEqual([0, []])
    expect((await events()).map(({ data }) => JSON.parse(data))).toEqual([{ all: true }])
  })

  test('200 with none unread nothing changes and there is no event', async () => {
    await fill(3, { read: true })
    expect(await readAll()).toBe(0)
    expect(await events()).toEqual([])
  })

  test('200 notifications that arrive between batches stay unread', async () => {
    await fill(1200)
    let late = 0
    const { result } = await slicesOf(readAll, async (slice) => {
      if (slice === 2) late = await send()
    })
    expect(result).toBe(1200)
    expect(await unreadCount()).toBe(1)
    expect(await unreadRows()).toEqual([{ id: late }])
  })

  test('500 a failure between batches leaves a correct count, and a retry finishes', async () => {
    await fill(1200)
    await slicesOf(readAll, (slice) => {
      if (slice === 2) throw new Error('the process stops here')
    })
    expect(await unreadCount()).toBe(700)
    expect(await unreadRows()).toHaveLength(700)
    expect(titles(await list({ unread: 'true', limit: '1' }))).toEqual(['Entry 700'])
    expect(await readAll()).toBe(700)
    expect(await unreadCount()).toBe(0)
    expect(await events()).toHaveLength(1)
  })

  test('200 two concurrent calls count every notification once', async () => {
    await fill(1800)
    const [one, two] = await Promise.all([readAll(), readAll()])
    expect(one + two).toBe(1800)
    expect([await unreadCount(), await unreadRows()]).toEqual([0, []])
  })
})
