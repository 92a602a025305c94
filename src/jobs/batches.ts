// Groups finished jobs into transactions of up to 25. Two jobs with the same lock key never share a transaction, and the
// keys of a transaction are in ascending order, so two nodes cannot deadlock.

// When one job fails a transaction, all of its jobs are settled again, each alone. This bounds how many.
const MOST_IN_A_BATCH = 25

export function batchByLock<Item>(items: Item[], lockKeyOf: (item: Item) => string): Item[][] {
  const batches: Item[][] = []
  for (const [, sameKey] of [...Map.groupBy(items, lockKeyOf)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    let last = -1
    for (const item of sameKey) {
      const open = batches.findIndex((batch, index) => index > last && batch.length < MOST_IN_A_BATCH)
      last = open === -1 ? batches.push([item]) - 1 : open
      if (open !== -1) batches[open]?.push(item)
    }
  }
  return batches
}
