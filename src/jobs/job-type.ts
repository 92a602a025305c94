// The type of a kind's entry in the registry: the operation that runs the job, and how the worker treats it.
import type { Instant } from '../domain/instant.ts'
import type { JobKind, Jobs, Prepared } from '../domain/jobs.ts'
import type { JobContext } from '../operations/context.ts'
import type { JobResult } from '../operations/job-result.ts'
import type { Writer } from '../store/engine/database.ts'
import type { Job } from '../store/jobs.ts'

export type JobType<K extends JobKind> = {
  // A job may run twice, after its lease has lapsed: the operation must be idempotent.
  run: (ctx: JobContext, job: Job<K>, prepared?: Prepared[K]) => Promise<JobResult<K>>
  // The lock that settling the job takes. Jobs of a kind with lock keys are settled in batches, and no batch has two jobs
  // with the same key.
  lockKey?: (payload: Jobs[K]) => string
  // Whether the job may push to an Apple device. Nodes without an APNs key leave such jobs to nodes with one.
  mayUseApns?: (payload: Jobs[K]) => boolean
  // Nodes without a mail server leave the job to nodes with one.
  usesMail?: true
  // Runs in the transaction that deletes the job after its last retry has failed.
  giveUp?: (tx: Writer, payload: Jobs[K], now: Instant) => Promise<void>
}

export type JobTypes = { [K in JobKind]: JobType<K> }
