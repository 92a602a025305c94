// The console continues when a page ends early: the server limits how much it scans and the bytes of a page.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { allPages } from '../../console/src/api/client.ts'
import { NO_FILTER } from '../../console/src/inbox/filter.ts'
import { filter, loadInbox, loadMore, nextCursor, notifications } from '../../console/src/inbox/inbox.ts'

type Page = { items: { id: number }[]; next_cursor?: string }

// Stubs a server that answers by path, and returns the requested paths.
function serve(pages: Record<string, Page | { count: number }>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return new Response(JSON.stringify(pages[path]))
  })
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
  filter.value = NO_FILTER
})

describe('a filtered inbox', () => {
  test('is read on through empty pages until something is found', async () => {
    filter.value = { unread: false, q: 'needle' }
    serve({
      '/notifications/unread-count': { count: 0 },
      '/notifications?q=needle': { items: [], next_cursor: 'a' },
      '/notifications?q=needle&cursor=a': { items: [], next_cursor: 'b' },
      '/notifications?q=needle&cursor=b': { items: [{ id: 7 }], next_cursor: 'c' },
      '/notifications?q=needle&cursor=c': { items: [], next_cursor: 'd' },
      '/notifications?q=needle&cursor=d': { items: [{ id: 3 }] },
    })
    await loadInbox()
    expect([notifications.value.map(({ id }) => id), nextCursor.value]).toEqual([[7], 'c'])
    await loadMore()
    expect([notifications.value.map(({ id }) => id), nextCursor.value]).toEqual([[7, 3], undefined])
  })

  test('is not read on when the filter has changed', async () => {
    filter.value = { unread: false, q: 'needle' }
    const asked = serve({
      '/notifications/unread-count': { count: 0 },
      '/notifications?q=needle': { items: [], next_cursor: 'a' },
    })
    const loading = loadInbox()
    filter.value = { unread: false, q: 'other' }
    await loading
    expect(asked).not.toContain('/notifications?q=needle&cursor=a')
  })
})

test('a list is read page by page to its end', async () => {
  serve({ '/l?limit=2': { items: [{ id: 1 }], next_cursor: 'x' }, '/l?limit=2&after=x': { items: [{ id: 2 }] } })
  expect(await allPages('/l?limit=2', 'after')).toEqual([{ id: 1 }, { id: 2 }])
})
