// Counts the jobs that are due, for metrics. The result is kept for a few seconds, so that scrapes, which anyone on the
// port may send, do not load the database.
import type { JobKind } from '../domain/jobs.ts'
import { countDueJobs, listFirstRunAts } from '../store/jobs.ts'
import type { Context } from './context.ts'

export type JobBacklog = { kind: JobKind; due: number; latenessSeconds: number }[]

const KEPT_MS = 5000
// 10,000 take up to 3 ms on SQLite, where a query blocks the process.
const MOST_OF_A_KIND = 10_000

export function createJobBacklog(ctx: Context): () => Promise<JobBacklog> {
  let kept: JobBacklog = []
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
  const backlog: JobBacklog = []
  for (const { kind, runAt } of await listFirstRunAts(db.read)) {
    if (runAt > now) continue
    const due = await slices(SLICES_OWNER, () => countDueJobs(db.read, kind, now, MOST_OF_A_KIND))
    backlog.push({ kind, due, latenessSeconds: (now - runAt) / 1000 })
  }
  return backlog
}

const SLICES_OWNER = 'metrics'
