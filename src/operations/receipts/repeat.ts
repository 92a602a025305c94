// Repeats an alert that nobody has acknowledged: counts the repeat and enqueues its pushes and the next repeat, in one
// transaction. Each push checks again whether the alert is still active.
import type { Instant } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import { receiptCollapseId, receiptEvent } from '../../domain/receipts/receipt.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { findSend } from '../../store/organizations/sends.ts'
import { countRepeat } from '../../store/receipts.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueNotificationPushes } from '../push/enqueue.ts'
import { enqueueNextRepeat } from './open.ts'

export async function repeatReceipt(ctx: JobContext, { payload }: Job<'repeat-receipt'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => enqueueRepeat(tx, payload, now) }
}

async function enqueueRepeat(
  tx: Writer,
  { userId, notificationId, repeat, dueAt }: Jobs['repeat-receipt'],
  now: Instant,
): Promise<void> {
  const receipt = await countRepeat(tx, userId, notificationId, repeat, now)
  if (!receipt) return
  const collapseId = receiptCollapseId(receipt)
  await enqueueNextRepeat(tx, receipt, dueAt, now)
  await insertTimeline(tx, userId, notificationId, { at: now, event: 'repeated', detail: String(repeat) })
  await appendEvent(tx, userId, receiptEvent('receipt.repeated', receipt, now))
  if (!(await findSend(tx, notificationId))) {
    return enqueueNotificationPushes(tx, { userId, notificationId, collapseId, repeat }, now)
  }
  const payload = { userId, notificationId, repeat }
  await enqueueJob(tx, { kind: 'spread-repeat', payload, runAt: now })
}
