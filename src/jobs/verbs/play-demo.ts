// Plays one step of a demonstration, in the transaction that settles the job: each step once.

import type { Instant } from '../../domain/instant.ts'
import { abandonDemo, continueDemo, type DemoStepJob } from '../../operations/demo/demo.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Job } from '../../store/jobs.ts'
import type { Delivery, JobResult } from '../job.ts'

export async function playDemo({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => continueDemo(ctx, tx, job.payload as DemoStepJob, now) }
}

export const giveUpDemo = (tx: Writer, job: Job, now: Instant): Promise<void> =>
  abandonDemo(tx, job.payload as DemoStepJob, now)
