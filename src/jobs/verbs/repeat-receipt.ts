// Sends an alert again because nobody has acknowledged it: counts the repeat, and enqueues its pushes and the next
// repeat with it. The pushes look for themselves whether the alert has ended meanwhile.
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { receiptCollapseId } from '../../domain/receipts/receipt.ts'
import { enqueuePushesLater } from '../../operations/notifications/store.ts'
import { receiptEvent } from '../../operations/receipts/end.ts'
import { enqueueNextRepeat } from '../../operations/receipts/open.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { countRepeat } from '../../store/receipts.ts'
import type { Delivery, JobResult } from '../job.ts'

type Payload = { userId: UserId; notificationId: NotificationId; repeat: number; dueAt: Instant }

export async function repeatReceipt({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => sendAgain(tx, job.payload as Payload, now) }
}

async function sendAgain(tx: Writer, { userId, notificationId, repeat, dueAt }: Payload, now: Instant): Promise<void> {
  const receipt = await countRepeat(tx, userId, notificationId, repeat, now)
  if (!receipt) return
  const collapseId = receiptCollapseId(receipt)
  await enqueueNextRepeat(tx, receipt, dueAt, now)
  await insertTimeline(tx, userId, notificationId, { at: now, event: 'repeated', detail: String(repeat) })
  await appendEvent(tx, userId, receiptEvent('receipt.repeated', receipt, now))
  await enqueuePushesLater(tx, { userId, notificationId, collapseId, repeat }, now)
}
