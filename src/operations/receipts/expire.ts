// Ends an alert that nobody has acknowledged in time.
import type { Job } from '../../store/jobs.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { endReceipts } from './end.ts'

export async function expireReceipt(ctx: JobContext, { payload }: Job<'expire-receipt'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      await endReceipts(tx, [payload], { status: 'expired' }, now)
    },
  }
}
