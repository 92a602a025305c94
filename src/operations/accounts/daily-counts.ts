// Counts what accounts send, what is refused and what their devices take, for the person to see. Quotas are counted
// elsewhere.
import { type DailyCount, type DailyDelivery, dayOf } from '../../domain/accounts/daily-counts.ts'
import { addDailyCount } from '../../store/accounts/daily-counts.ts'
import { addDailyDelivery } from '../../store/accounts/daily-deliveries.ts'
import type { Database } from '../../store/engine/database.ts'
import type { DailyCounts } from '../context.ts'
import { type Counted, createCountBuffer } from './count-buffer.ts'

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
