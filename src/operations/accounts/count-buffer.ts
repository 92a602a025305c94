// Adds up counts in memory and writes them in batches, so that what is counted costs no statement of its own. A process
// that dies loses what it has not written.
import type { UserId } from '../../domain/caller.ts'
import type { Database, Writer } from '../../store/engine/database.ts'

export type Counted = { userId: UserId; count: number }

export type CountBuffer<Count extends Counted> = {
  // How many different counts wait to be written.
  size(): number
  add(counted: Count): void
  flush(): Promise<void>
}

const COUNTS_PER_TRANSACTION = 200

// `keyOf`: counts with the same key are added up. `write` adds one to what the database has.
export function createCountBuffer<Count extends Counted>(
  db: Database,
  keyOf: (counted: Count) => unknown[],
  write: (tx: Writer, counted: Count) => Promise<void>,
): CountBuffer<Count> {
  let waiting = new Map<string, Count>()

  function add(counted: Count): void {
    const key = JSON.stringify(keyOf(counted))
    const known = waiting.get(key)
    if (known) known.count += counted.count
    else waiting.set(key, { ...counted })
  }

  return {
    size: () => waiting.size,
    add,
    async flush() {
      // Sorted, so that two nodes cannot deadlock.
      const counts = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, counted]) => counted)
      waiting = new Map()
      while (counts.length > 0) {
        const batch = counts.splice(0, COUNTS_PER_TRANSACTION)
        try {
          await db.transact(async (tx) => {
            for (const counted of batch) await write(tx, counted)
          })
        } catch (error) {
          for (const counted of [...batch, ...counts]) add(counted)
          throw error
        }
      }
    },
  }
}
