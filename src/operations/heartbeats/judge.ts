// Judges a heartbeat whose time has come: late, then down. Written in the transaction that settles the job, so an alert is
// sent once even if the job runs twice.
import type { Heartbeat } from '../../domain/heartbeats/heartbeat.ts'
import { afterTime, judgedAt } from '../../domain/heartbeats/judging.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import type { Writer } from '../../store/engine/database.ts'
import { findHeartbeatByIdForUpdate } from '../../store/heartbeats/heartbeats.ts'
import type { Job } from '../../store/jobs.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { STAMP_EVERY_MS } from './alive.ts'
import { enqueueJudging, noteSent, type Saved, saveChange } from './save.ts'

export async function judgeHeartbeat(ctx: JobContext, { payload }: Job<'judge-heartbeat'>): Promise<JobResult> {
  const canJudge = await ctx.alive.hearsPings()
  const now = ctx.clock.now()
  if (!canJudge) return { done: true, record: (tx) => judgeLater(tx, payload, plusSeconds(now, STAMP_EVERY_MS / 1000)) }
  let saved: Saved[] = []
  return {
    done: true,
    record: async (tx) => {
      const found = await findHeartbeatByIdForUpdate(tx, payload.userId, payload.heartbeatId)
      saved = found ? await judge(ctx, tx, found, now) : []
    },
    afterCommit: async () => {
      for (const one of saved) noteSent(ctx, one)
    },
  }
}

// If two changes are due, both are made: late, and down.
async function judge(ctx: Context, tx: Writer, found: Heartbeat, now: Instant): Promise<Saved[]> {
  const saved: Saved[] = []
  let heartbeat = found
  for (let change = afterTime(found, now); change; change = afterTime(heartbeat, now)) {
    const one = await saveChange(ctx, tx, heartbeat, change, now)
    saved.push(one)
    heartbeat = one.heartbeat
  }
  const next = judgedAt(heartbeat)
  if (next !== null) await enqueueJudging(tx, heartbeat, next)
  return saved
}

const AGAIN_AFTER_SECONDS = 3600

// When all retries have failed.
export const judgeAgain = (tx: Writer, job: Jobs['judge-heartbeat'], now: Instant): Promise<void> =>
  judgeLater(tx, job, plusSeconds(now, AGAIN_AFTER_SECONDS))

const judgeLater = (tx: Writer, { userId, heartbeatId: id }: Jobs['judge-heartbeat'], runAt: Instant): Promise<void> =>
  enqueueJudging(tx, { userId, id }, runAt)
