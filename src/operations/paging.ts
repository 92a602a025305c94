// Pages of a list. A page is bounded in items and in bytes: a response of ten megabytes would block the event loop.
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import type { Page } from '../domain/cursor.ts'

// A single item may be larger.
const PAGE_BYTES = 1_000_000

type PageSource<Entry, Item> = {
  // At most `count` entries in the order of the list. `resumeAt` is the cursor of a search that stopped early.
  find(count: number): Promise<{ entries: Entry[]; resumeAt?: string }>
  bytesOf?(entry: Entry): number
  // Only the entries of the page are loaded. One that was deleted since it was found is left out.
  load(entries: Entry[]): Promise<Item[]>
  cursorAfter(entry: Entry): string
}

export async function readPage<Entry, Item>(
  limit: number | undefined = LIMITS.page.items.default,
  { find, bytesOf = () => 0, load, cursorAfter }: PageSource<Entry, Item>,
): Promise<Page<Item>> {
  // One entry more than the page tells whether there is a next page.
  const { entries, resumeAt } = await find(limit + 1)
  const page = entries.slice(0, pageLength(entries.map(bytesOf), limit))
  const last = page.length < entries.length ? page.at(-1) : undefined
  const nextCursor = last === undefined ? resumeAt : cursorAfter(last)
  return { items: page.length > 0 ? await load(page) : [], nextCursor }
}

// How many entries fit on a page: at least one, at most `limit`.
function pageLength(sizes: readonly number[], limit: number): number {
  let bytes = 0
  const tooMany = sizes.slice(0, limit).findIndex((size, index) => {
    bytes += size
    return index > 0 && bytes > PAGE_BYTES
  })
  return tooMany === -1 ? Math.min(sizes.length, limit) : tooMany
}

export function readCursor<Position>(
  cursor: string | undefined,
  decode: (cursor: string) => Position | undefined,
): Position | undefined {
  if (cursor === undefined) return undefined
  const position = decode(cursor)
  if (position !== undefined) return position
  throw new Problem('cursor.invalid', 'The cursor is not one that this list gave out; start without a cursor.')
}
