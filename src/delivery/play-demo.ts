// Plays one step of a demonstration, in the transaction that settles the job: each step once.
import { continueDemo, type DemoStepJob } from '../operations/demo.ts'
import type { Job } from '../store/jobs.ts'
import type { Delivery, JobResult } from './job.ts'

export async function playDemo({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => continueDemo(ctx, tx, job.payload as DemoStepJob, now) }
}
