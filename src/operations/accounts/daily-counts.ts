// Counts what accounts send, what is refused and what their devices take, for the person to see. Quotas are counted
// elsewhere.
import { type DailyCount, type DailyDelivery, dayOf } from '../../domain/accounts/daily-counts.ts'
import type { UserId } from '../../domain/caller.ts'
import { addDailyCount } from '../../store/accounts/daily-counts.ts'
import { addDailyDelivery } from '../../store/accounts/daily-deliveries.ts'
import type { Database, Writer } from '../../store/engine/database.ts'
import type { DailyCounts } from '../context.ts'

// Bounds the memory: with more different ones waiting, sources are left out, and deliveries are not counted.
const MOST_WAITING = 5000

export function createDailyCounts(db: Database): DailyCounts {
  const sends = createCountBuffer<DailyCount & Counted>(
    db,
    ({ userId, day, keyId, source, outcome }) => [userId, day, keyId, source, outcome],
    addDailyCount,
  )
  const deliveries = createCountBuffer<DailyDelivery & Counted>(
    db,
    ({ userId, day, deviceId, outcome }) => [userId, day, deviceId, outcome],
    addDailyDelivery,
  )
  return {
    noteSent({ userId, keyId, source = '' }, outcome, now) {
      const shown = sends.size() < MOST_WAITING ? source : ''
      sends.add({ userId, keyId, source: shown, outcome, day: dayOf(now), count: 1 })
    },
    noteRefused(caller, code, now) {
      const keyId = caller.kind === 'key' ? caller.keyId : null
      sends.add({ userId: caller.userId, keyId, source: '', outcome: code, day: dayOf(now), count: 1 })
    },
    noteDelivery({ userId, deviceId }, outcome, now) {
      if (deliveries.size() >= MOST_WAITING) return
      deliveries.add({ userId, deviceId, outcome, day: dayOf(now), count: 1 })
    },
    async flush() {
      await sends.flush()
      await deliveries.flush()
    },
  }
}

type Counted = { userId: UserId; count: number }

type CountBuffer<Count extends Counted> = {
  // How many different counts wait to be written.
  size(): number
  add(counted: Count): void
  flush(): Promise<void>
}

const COUNTS_PER_TRANSACTION = 200

// Adds up counts in memory and writes them in batches, so that what is counted costs no statement of its own. A process that
// dies loses what it has not written. `keyOf`: counts with the same key are added up. `write` adds one to what the database has.
function createCountBuffer<Count extends Counted>(
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
