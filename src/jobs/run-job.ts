// Runs one job and settles it: done, again at another time, or retried by the schedule of its kind after an exception.
import { plusSeconds } from '../domain/instant.ts'
import { type JobKind, retryDelaySeconds } from '../domain/jobs.ts'
import type { PushOutcome } from '../domain/notifications/delivery.ts'
import type { ClaimedJob, JobContext } from '../operations/context.ts'
import type { JobOutcome } from '../runtime/metrics/metrics.ts'
import { deleteJob, type Job, postponeJob } from '../store/jobs.ts'
import type { JobType } from './registry.ts'
import type { Settle } from './settling.ts'

// Never rejects.
export async function runJob<K extends JobKind>(
  ctx: JobContext,
  type: JobType<K>,
  { job, prepared }: ClaimedJob<K>,
  settle: Settle,
): Promise<PushOutcome> {
  const end = begin(ctx, job)
  const attributes = {
    'heliograph.job.kind': job.kind,
    'heliograph.job.id': job.id,
    'heliograph.job.attempt': job.attempt,
    'heliograph.account': job.payload.userId,
  }
  return ctx.tracing.span({ name: `job ${job.kind}`, attributes }, async (span) => {
    try {
      const result = await type.run(ctx, job, prepared)
      if (await settle({ job, result }, type.lockKey?.(job.payload))) await result.afterCommit?.()
      end('done' in result ? 'done' : 'again')
      return result.outcome ?? 'refused'
    } catch (error) {
      // If the retry cannot be written, the lease lapses and the job is claimed again.
      const isRetried = await retryLater(ctx, type, job).catch(() => true)
      span.fail(error instanceof Error ? error.name : 'unknown')
      end(isRetried ? 'failed' : 'given_up', { err: error })
      return 'refused'
    }
  })
}

// Returns the function that reports the end of the job.
function begin({ clock, log, metrics }: JobContext, job: Job) {
  const { kind, id } = job
  const startedMs = clock.monotonicMs()
  metrics.jobStarted(kind)
  return (outcome: JobOutcome, fields: object = {}) => {
    const ms = clock.monotonicMs() - startedMs
    metrics.jobEnded(kind, outcome, ms)
    const level = outcome === 'failed' || outcome === 'given_up' ? 'error' : 'debug'
    // Both may change while the job runs, if its lease lapses.
    const { attempt, failures } = job
    log[level]({ job: kind, id, attempt, failures, outcome, ms: Math.round(ms), ...fields }, 'job')
  }
}

// Returns false if that was the last retry: the job is deleted.
async function retryLater<K extends JobKind>(ctx: JobContext, type: JobType<K>, job: Job<K>): Promise<boolean> {
  const delaySeconds = retryDelaySeconds(job.kind, job.failures)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    if (delaySeconds !== undefined) await postponeJob(tx, job, plusSeconds(now, delaySeconds))
    else if (await deleteJob(tx, job)) await type.giveUp?.(tx, job.payload, now)
  })
  return delaySeconds !== undefined
}
