// Counts what the database has for metrics: jobs that are due, how late fan-outs are, and the messages of UnifiedPush. The
// result is kept for a few seconds, so that scrapes, which anyone on the port may send, do not load the database.
import type { JobKind } from '../domain/jobs.ts'
import { countUnifiedPush } from '../store/apps/push-endpoints.ts'
import { countDueJobs, listFirstRunAts, listOldestAccepted } from '../store/jobs.ts'
import type { Context } from './context.ts'

// A fan-out is late from the moment its change was accepted, also while it waits for a retry and is not due.
export type JobBacklog = {
  due: { kind: JobKind; count: number; latenessSeconds: number }[]
  fanOuts: { kind: JobKind; latenessSeconds: number }[]
  unifiedPush?: { endpoints: number; kept: number }
}

const KEPT_MS = 5000
// 10,000 take up to 3 ms on SQLite, where a query blocks the process.
const MOST_OF_A_KIND = 10_000

export function createJobBacklog(ctx: Context): () => Promise<JobBacklog> {
  let kept: JobBacklog = { due: [], fanOuts: [] }
  let readAtMs = Number.NEGATIVE_INFINITY

  return async () => {
    const nowMs = ctx.clock.monotonicMs()
    if (nowMs - readAtMs < KEPT_MS) return kept
    kept = await readBacklog(ctx)
    readAtMs = nowMs
    return kept
  }
}

async function readBacklog({ clock, db, slices }: Context): Promise<JobBacklog> {
  const now = clock.now()
  const due: JobBacklog['due'] = []
  for (const { kind, runAt } of await listFirstRunAts(db.read)) {
    if (runAt > now) continue
    const count = await slices(SLICES_OWNER, () => countDueJobs(db.read, kind, now, MOST_OF_A_KIND))
    due.push({ kind, count, latenessSeconds: (now - runAt) / 1000 })
  }
  const unfinished = await listOldestAccepted(db.read)
  const fanOuts = unfinished.map(({ kind, acceptedAt }) => ({ kind, latenessSeconds: (now - acceptedAt) / 1000 }))
  const unifiedPush = await slices(SLICES_OWNER, () => countUnifiedPush(db.read, now, MOST_OF_A_KIND))
  return { due, fanOuts, unifiedPush }
}

const SLICES_OWNER = 'metrics'
