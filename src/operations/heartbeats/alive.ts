// Tells a standstill of ours from the silence of others: every node that listens for requests stamps a row every ten
// seconds. After a gap, while no ping could arrive, all due times move by the gap. Until then nothing is judged.
import type { Instant } from '../../domain/instant.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Database, Writer } from '../../store/engine/database.ts'
import { moveDueTimes } from '../../store/heartbeats/heartbeats.ts'
import { findStamp, findStampForUpdate, stampAlive } from '../../store/server.ts'
import type { Alive } from '../context.ts'

export const STAMP_EVERY_MS = 10_000
const LONGEST_GAP_MS = 30_000

// `wallNow`: the real time, by which a halt of this process is noticed. `clock` is that of the service, which tests move.
export function createAlive(
  { db, clock, log }: { db: Database; clock: Clock; log: Log },
  wallNow: () => Instant,
): Alive {
  let stampedAt: Instant | undefined
  const wasHalted = () => stampedAt === undefined || wallNow() - stampedAt > LONGEST_GAP_MS

  async function stamp() {
    const mayHaveStood = wasHalted()
    const wall = wallNow()
    const now = clock.now()
    const stood = await db.transact(async (tx) => {
      const gapMs = mayHaveStood ? await gapUntil(tx, now) : 0
      const moved = gapMs > 0 ? await moveDueTimes(tx, gapMs) : 0
      await stampAlive(tx, now)
      return { gapMs, moved }
    })
    stampedAt = wall
    if (stood.moved > 0)
      log.warn({ gap_ms: stood.gapMs, heartbeats: stood.moved }, 'due times moved after a standstill')
  }

  return {
    stamp,
    async hearsPings() {
      if (stampedAt === undefined) return clock.now() - ((await findStamp(db.read)) ?? 0) <= LONGEST_GAP_MS
      if (wasHalted()) await stamp()
      return true
    },
  }
}

// 0 if another node has been alive meanwhile, or the clock was set back.
async function gapUntil(tx: Writer, now: Instant): Promise<number> {
  const last = (await findStampForUpdate(tx)) ?? now
  const gapMs = now - last
  return gapMs > LONGEST_GAP_MS ? gapMs : 0
}
