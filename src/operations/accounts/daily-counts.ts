// Counts what accounts send and what is refused, for the person to see. Kept in memory and written every few seconds, so that
// a send costs no statement more. A process that dies loses what it has not written; quotas are counted elsewhere.

import { type DailyCount, dayOf } from '../../domain/accounts/daily-counts.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import { addDailyCount } from '../../store/daily-counts.ts'
import type { Database } from '../../store/engine/database.ts'

export type DailyCounts = {
  noteSent(
    notification: Pick<Notification, 'userId' | 'keyId' | 'source'>,
    outcome: 'sent' | 'muted',
    now: Instant,
  ): void
  noteRefused(caller: Caller, code: string, now: Instant): void
  flush(): Promise<void>
}

type Counted = DailyCount & { userId: UserId }

// Bounds the memory: with more different ones waiting, sources are left out.
const MOST_WAITING = 5000
const COUNTS_PER_TRANSACTION = 200

export function createDailyCounts(db: Database): DailyCounts {
  let waiting = new Map<string, Counted>()

  function add(counted: Counted): void {
    const source = waiting.size < MOST_WAITING ? counted.source : ''
    const { userId, day, keyId, outcome } = counted
    const key = JSON.stringify([userId, day, keyId, source, outcome])
    const known = waiting.get(key)
    if (known) known.count += counted.count
    else waiting.set(key, { ...counted, source })
  }

  return {
    noteSent({ userId, keyId, source = '' }, outcome, now) {
      add({ userId, keyId, source, outcome, day: dayOf(now), count: 1 })
    },
    noteRefused(caller, code, now) {
      const keyId = caller.kind === 'key' ? caller.keyId : null
      add({ userId: caller.userId, keyId, source: '', outcome: code, day: dayOf(now), count: 1 })
    },
    async flush() {
      // Sorted, so that two nodes cannot deadlock.
      const counts = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, counted]) => counted)
      waiting = new Map()
      while (counts.length > 0) {
        const batch = counts.splice(0, COUNTS_PER_TRANSACTION)
        try {
          await db.transact(async (tx) => {
            for (const { userId, ...count } of batch) await addDailyCount(tx, userId, count)
          })
        } catch (error) {
          for (const counted of [...batch, ...counts]) add(counted)
          throw error
        }
      }
    },
  }
}
