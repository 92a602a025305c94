// The end of receipts, however it comes about, and all that follows from it, in the transaction of its cause.
import type { EventType } from '../../contract/event-types.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Ending, Receipt } from '../../domain/receipts/receipt.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { insertTimeline, type TimelineEntry } from '../../store/notifications/timeline.ts'
import { endReceipt } from '../../store/receipts.ts'
import { withdrawBanners } from '../notifications/enqueue-withdrawal.ts'

// Of these, those that were active still. First all rows and then the rest, because the rest waits for the account's
// feed: whoever held the feed and then waited for a row could wait for ever.
export async function endReceipts(
  tx: Writer,
  receipts: Pick<Receipt, 'userId' | 'notificationId'>[],
  ending: Ending,
  now: Instant,
): Promise<Receipt[]> {
  const ended: Receipt[] = []
  for (const { userId, notificationId } of receipts) {
    const receipt = await endReceipt(tx, userId, notificationId, ending, now)
    if (receipt) ended.push(receipt)
  }
  for (const receipt of ended) await follow(tx, receipt, ending, now)
  return ended
}

type ReceiptEventType = Extract<EventType, `receipt.${string}`>

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

async function follow(tx: Writer, receipt: Receipt, ending: Ending, now: Instant): Promise<void> {
  const { userId, notificationId, callback } = receipt
  await insertTimeline(tx, userId, notificationId, timelineEntry(ending, now))
  await appendEvent(tx, userId, receiptEvent(`receipt.${ending.status}`, receipt, now))
  if (ending.status === 'acknowledged') await withdrawBanners(tx, userId, [notificationId], now)
  if (callback && ending.status !== 'canceled') {
    await enqueueJob(tx, { kind: 'send-callback', payload: { userId, notificationId }, runAt: now })
  }
}

function timelineEntry(ending: Ending, at: Instant): TimelineEntry {
  if (ending.status === 'expired') return { at, event: 'expired' }
  if (ending.status === 'canceled') return { at, event: 'canceled', detail: ending.reason }
  return { at, event: 'acknowledged', device: ending.device, detail: ending.actionId }
}
