// Whether this server should be sent requests: the database answers and no job waits far beyond its time.
import { findNextRunAt } from '../store/jobs.ts'
import type { Context } from './context.ts'

const BEHIND_MS = 30_000

export async function isKeepingUp(ctx: Context): Promise<boolean> {
  try {
    const nextRunAt = await findNextRunAt(ctx.db.read)
    return nextRunAt === undefined || ctx.clock.now() - nextRunAt < BEHIND_MS
  } catch {
    return false
  }
}
