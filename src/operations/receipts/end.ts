// Ends receipts, in the transaction of the cause: state, timeline, event, withdrawal and callback.
import type { EventType } from '../../contract/events/event-types.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Receipt, ReceiptEnding } from '../../domain/receipts/receipt.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { insertTimeline, type TimelineEntry } from '../../store/notifications/timeline.ts'
import { endReceipt } from '../../store/receipts.ts'
import { enqueueWithdrawal } from '../notifications/enqueue-withdrawal.ts'

// Returns the receipts that were still active. Updates all receipt rows before it touches the feed row: the lock order
// is receipt, then feed.
export async function endReceipts(
  tx: Writer,
  receipts: Pick<Receipt, 'userId' | 'notificationId'>[],
  ending: ReceiptEnding,
  now: Instant,
): Promise<Receipt[]> {
  const ended: Receipt[] = []
  for (const { userId, notificationId } of receipts) {
    const receipt = await endReceipt(tx, userId, notificationId, ending, now)
    if (receipt) ended.push(receipt)
  }
  for (const receipt of ended) await recordEnding(tx, receipt, ending, now)
  return ended
}

type ReceiptEventType = Extract<EventType, `receipt.${string}`>

// The event that reports a change of a receipt.
export const receiptEvent = (type: ReceiptEventType, receipt: Receipt, at: Instant): NewEvent => ({
  type,
  at,
  data: {
    id: receipt.notificationId,
    repeats_sent: receipt.repeatsSent,
    action_id: receipt.actionId,
    cancel_reason: receipt.cancelReason,
  },
})

async function recordEnding(tx: Writer, receipt: Receipt, ending: ReceiptEnding, now: Instant): Promise<void> {
  const { userId, notificationId, callback } = receipt
  await insertTimeline(tx, userId, notificationId, timelineEntry(ending, now))
  await appendEvent(tx, userId, receiptEvent(`receipt.${ending.status}`, receipt, now))
  if (ending.status === 'acknowledged') await enqueueWithdrawal(tx, userId, [notificationId], now)
  if (callback && ending.status !== 'canceled') {
    await enqueueJob(tx, { kind: 'send-callback', payload: { userId, notificationId }, runAt: now })
  }
}

function timelineEntry(ending: ReceiptEnding, at: Instant): TimelineEntry {
  if (ending.status === 'expired') return { at, event: 'expired' }
  if (ending.status === 'canceled') return { at, event: 'canceled', detail: ending.reason }
  return { at, event: 'acknowledged', device: ending.device, detail: ending.actionId }
}
