// Shares what is to be settled out among transactions: at most one with the same lock in each. A transaction that had
// locked rows for one could else wait for rows of its next, while whoever has those waits for it. In the order of the
// locks, so that two nodes which lock the same rows do not wait for each other.

// Bounds how many must be settled again, each alone, when one of them fails.
const SETTLED_TOGETHER = 25

export function batchesOf<Item>(items: Item[], lockOf: (item: Item) => string): Item[][] {
  const batches: Item[][] = []
  for (const [, its] of [...Map.groupBy(items, lockOf)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    let last = -1
    for (const item of its) {
      const open = batches.findIndex((batch, index) => index > last && batch.length < SETTLED_TOGETHER)
      last = open === -1 ? batches.push([item]) - 1 : open
      if (open !== -1) batches[open]?.push(item)
    }
  }
  return batches
}
