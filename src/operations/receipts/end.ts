// Ends receipts, in the transaction of the cause: state, timeline, event, withdrawal and callback.
import type { Instant } from '../../domain/instant.ts'
import { type Callback, type Receipt, type ReceiptEnding, receiptEvent } from '../../domain/receipts/receipt.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { insertTimeline, type TimelineEntry } from '../../store/notifications/timeline.ts'
import { endReceipt } from '../../store/receipts.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueEnding } from '../push/bark.ts'
import { tellRecipients } from '../push/tell-recipients.ts'
import { enqueueWithdrawal } from '../push/withdraw.ts'

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
  await enqueueSettling(tx, ended, now)
  return ended
}

// The others of a group are looked at in a transaction of their own, which locks them in one order.
async function enqueueSettling(tx: Writer, ended: readonly Receipt[], now: Instant): Promise<void> {
  const groups = new Map(ended.flatMap(({ userId, groupId }) => (groupId === undefined ? [] : [[groupId, userId]])))
  for (const [groupId, userId] of groups) {
    await enqueueJob(tx, { kind: 'settle-receipt-group', payload: { userId, groupId }, runAt: now })
  }
}

async function recordEnding(tx: Writer, receipt: Receipt, ending: ReceiptEnding, now: Instant): Promise<void> {
  const { userId, notificationId, callback } = receipt
  await insertTimeline(tx, userId, notificationId, timelineEntry(ending, now))
  const isOfOrganization = await tellRecipients(tx, receipt, ending.status, now)
  await appendEvent(tx, userId, receiptEvent(`receipt.${ending.status}`, receipt, now))
  if (!isOfOrganization) {
    if (ending.status === 'acknowledged') {
      await enqueueWithdrawal(tx, userId, [notificationId], now, { staysOnApps: true })
    }
    await enqueueEnding(tx, { userId, notificationId, ending: ending.status }, now)
  }
  if (callback && callsBack(callback, ending)) {
    await enqueueJob(tx, { kind: 'send-callback', payload: { userId, notificationId }, runAt: now })
  }
}

// Pushover does not tell of an expiry.
const callsBack = ({ form }: Callback, { status }: ReceiptEnding): boolean =>
  status === 'acknowledged' || (status === 'expired' && form === undefined)

function timelineEntry(ending: ReceiptEnding, at: Instant): TimelineEntry {
  if (ending.status === 'expired') return { at, event: 'expired' }
  if (ending.status === 'canceled') return { at, event: 'canceled', detail: ending.reason }
  return { at, event: 'acknowledged', device: ending.device, detail: ending.actionId }
}

// Ends an alert that nobody has acknowledged in time.
export async function expireReceipt(ctx: JobContext, { payload }: Job<'expire-receipt'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      await endReceipts(tx, [payload], { status: 'expired' }, now)
    },
  }
}
