// Hook that loads a paged list as far as the person asks for, and reloads that part when events say that it changed.
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { type Loaded, type LoadOptions, useLoaded } from './use-loaded.ts'

type ListPage<Item> = { items: Item[]; next_cursor?: string }
type Part<Item> = { items: Item[]; hasMore: boolean }

// `path` has a query. `more` loads one page more.
export function usePages<Item>(
  path: string,
  options: Pick<LoadOptions<never>, 'on' | 'everyMs'>,
): Loaded<Part<Item>> & { more: () => void } {
  const [count, setCount] = useState(1)
  const loaded = useLoaded(() => loadPart<Item>(path, count), { ...options, key: `${path} ${count}` })
  return { ...loaded, more: () => setCount(count + 1) }
}

async function loadPart<Item>(path: string, count: number): Promise<Part<Item>> {
  const items: Item[] = []
  let cursor = ''
  for (let number = 0; number < count; number++) {
    const page = await api.get<ListPage<Item>>(path + cursor)
    items.push(...page.items)
    if (!page.next_cursor) return { items, hasMore: false }
    cursor = `&cursor=${page.next_cursor}`
  }
  return { items, hasMore: true }
}
