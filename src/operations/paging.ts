// Pages that are bounded in items and in bytes: an answer of ten megabytes would hold the event loop while it is made.

// About what an answer has at most. A single item may be larger.
export const PAGE_BYTES = 1_000_000

// How many of these, given the bytes of each, make a page: `limit` or PAGE_BYTES of them, and at least one.
export function pageLength(sizes: readonly number[], limit: number): number {
  let bytes = 0
  const tooMany = sizes.slice(0, limit).findIndex((size, index) => {
    bytes += size
    return index > 0 && bytes > PAGE_BYTES
  })
  return tooMany === -1 ? Math.min(sizes.length, limit) : tooMany
}

type Reading<Item> = { sizes(limit: number): Promise<number[]>; items(limit: number): Promise<Item[]> }

// The sizes first, so that no more is loaded than the page has. `last` is where the next page goes on, if there is one.
export async function readPage<Item>(
  limit: number,
  { sizes, items }: Reading<Item>,
): Promise<{ items: Item[]; last?: Item }> {
  // One more than the page tells whether there is a next one.
  const found = await sizes(limit + 1)
  const length = pageLength(found, limit)
  const page = length > 0 ? await items(length) : []
  return { items: page, last: length < found.length ? page.at(-1) : undefined }
}
