// Runs one job to its end: done, again at another time, or failed and tried again by the schedule of its kind.
import { plusSeconds } from '../domain/instant.ts'
import type { PushOutcome } from '../domain/notifications/delivery.ts'
import type { Context } from '../operations/context.ts'
import { deleteJob, type Job, postponeJob } from '../store/jobs.ts'
import type { Delivery, JobType } from './job.ts'
import type { Settle } from './settling.ts'

// Never rejects.
export async function runJob(delivery: Delivery, type: JobType, job: Job, settle: Settle): Promise<PushOutcome> {
  const { ctx } = delivery
  const finish = stopwatch(ctx, job)
  try {
    const result = await type.run(delivery, job)
    if (await settle({ job, result }, type.lockOf?.(job))) await result.afterwards?.()
    finish('done' in result ? 'done' : 'again')
    if (result.isLeftOut) return 'left_out'
    return result.accepted ? 'accepted' : 'refused'
  } catch (error) {
    const retried = await retryLater(ctx, job, type).catch(() => true)
    finish(retried ? 'failed' : 'given up', { err: error })
    return 'refused'
  }
}

// Returns what to say when the job has ended.
function stopwatch({ clock, log }: Context, { kind, id, attempt }: Job) {
  const startedMs = clock.monotonicMs()
  return (outcome: string, rest: object = {}) => {
    const ms = Math.round(clock.monotonicMs() - startedMs)
    const level = outcome === 'failed' || outcome === 'given up' ? 'error' : 'debug'
    log[level]({ job: kind, id, attempt, outcome, ms, ...rest }, 'job')
  }
}

async function retryLater(ctx: Context, job: Job, type: JobType): Promise<boolean> {
  const seconds = type.retryAfterSeconds[job.attempt - 1]
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    if (seconds !== undefined) await postponeJob(tx, job, plusSeconds(now, seconds))
    else if (await deleteJob(tx, job)) await type.givenUp?.(tx, job, now)
  })
  return seconds !== undefined
}
