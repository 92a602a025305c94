// Readiness: the database stores changes, and no job is far overdue.

import { tryWrite } from '../store/engine/probes.ts'
import { describeTrouble } from '../store/engine/trouble.ts'
import { findOldestTimes, type OldestTimes } from '../store/jobs.ts'
import type { Context } from './context.ts'

// `fanOutLatenessSeconds`: how long ago a change was accepted that has not reached every member of its organization yet, if
// that is long. The server is ready nevertheless: no other node could do better, and other requests need this one.
export type Readiness = { isReady: false; reason: string } | { isReady: true; fanOutLatenessSeconds?: number }
export type CheckReadiness = () => Promise<Readiness>

const BEHIND_MS = 30_000
const FAN_OUT_LATE_MS = 60_000
// While writes fail, /ready tries one itself: without requests nothing else would notice the recovery.
const TRY_EVERY_MS = 1000

export function createReadiness(ctx: Context): CheckReadiness {
  let triedAtMs = Number.NEGATIVE_INFINITY
  let trying: Promise<void> = Promise.resolve()

  function tryAgain(): Promise<void> {
    const now = ctx.clock.monotonicMs()
    if (now - triedAtMs >= TRY_EVERY_MS) {
      triedAtMs = now
      // A failure updates `trouble`, which is reported below.
      trying = tryWrite(ctx.db).catch(() => {})
    }
    return trying
  }

  return async () => {
    if (ctx.db.trouble()) await tryAgain()
    const trouble = ctx.db.trouble()
    if (trouble) return { isReady: false, reason: describeTrouble(trouble) }
    return findOldestTimes(ctx.db.read).then(
      (oldest) => judge(ctx, oldest),
      () => BEHIND,
    )
  }
}

const BEHIND: Readiness = { isReady: false, reason: 'The database cannot be read or background work is behind.' }

function judge({ clock }: Context, { runAt, acceptedAt }: OldestTimes): Readiness {
  const now = clock.now()
  if (runAt !== undefined && now - runAt >= BEHIND_MS) return BEHIND
  if (acceptedAt === undefined || now - acceptedAt < FAN_OUT_LATE_MS) return { isReady: true }
  return { isReady: true, fanOutLatenessSeconds: Math.round((now - acceptedAt) / 1000) }
}
