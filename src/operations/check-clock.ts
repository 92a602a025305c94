// Compares this machine's clock with the database's when a node starts. Leases are times by the clock of the node that
// claims: a node that is ahead by more than a lease claims jobs that others still run, and sends pushes twice.
import { StartError } from '../domain/start-error.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Database } from '../store/engine/database.ts'
import { readDatabaseTime } from '../store/engine/database-time.ts'

const WARN_MS = 1000
const REFUSE_MS = 5000
// The sample with the shortest round trip counts: the round trip is the error of the measurement.
const SAMPLES = 3

export async function checkClock(db: Database, clock: Pick<Clock, 'now' | 'monotonicMs'>, log: Log): Promise<void> {
  const samples = []
  for (let i = 0; i < SAMPLES; i++) samples.push(await measure(db, clock))
  const { aheadMs } = samples.reduce((best, one) => (one.delayMs < best.delayMs ? one : best))
  if (Math.abs(aheadMs) <= WARN_MS) return
  const apart = `this machine's clock is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`
  if (Math.abs(aheadMs) > REFUSE_MS) throw new StartError(`${apart}; synchronize both (NTP), then start again`)
  log.warn({ aheadMs }, `${apart}; synchronize both (NTP)`)
}

async function measure(db: Database, clock: Pick<Clock, 'now' | 'monotonicMs'>) {
  const [before, startedMs] = [clock.now(), clock.monotonicMs()]
  const there = await readDatabaseTime(db.read)
  const delayMs = clock.monotonicMs() - startedMs
  return { delayMs, aheadMs: Math.round(before + delayMs / 2 - there) }
}
