// Readiness: the database stores changes, and no job is far overdue.

import { describeTrouble } from '../store/engine/trouble.ts'
import { tryWrite } from '../store/engine/write-check.ts'
import { findNextRunAt } from '../store/jobs.ts'
import type { Context } from './context.ts'

// Returns the reason if the server is not ready.
export type CheckReadiness = () => Promise<string | undefined>

const BEHIND_MS = 30_000
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
    if (trouble) return describeTrouble(trouble)
    return (await isKeepingUp(ctx)) ? undefined : 'The database cannot be read or background work is behind.'
  }
}

async function isKeepingUp(ctx: Context): Promise<boolean> {
  try {
    const nextRunAt = await findNextRunAt(ctx.db.read)
    return nextRunAt === undefined || ctx.clock.now() - nextRunAt < BEHIND_MS
  } catch {
    return false
  }
}
