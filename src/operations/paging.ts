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
