// Ends an alert that nobody has acknowledged in its time.
import type { Receipt } from '../../domain/receipts/receipt.ts'
import { endReceipts } from '../../operations/receipts/end.ts'
import type { Job } from '../../store/jobs.ts'
import type { Delivery, JobResult } from '../job.ts'

type Payload = Pick<Receipt, 'userId' | 'notificationId'>

export async function expireReceipt({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      await endReceipts(tx, [job.payload as Payload], { status: 'expired' }, now)
    },
  }
}
