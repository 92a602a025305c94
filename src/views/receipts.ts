// A receipt as clients see it, in responses and in the callback's body. Views are a layer below operations because
// operations send them too: callbacks, events and the stored responses of idempotent requests.
import type { CallbackBody, ReceiptState as ReceiptStateView, ReceiptView } from '../contract/receipts.ts'
import type { ReceiptState } from '../domain/answers/state.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'
import { nextStepAt } from '../domain/receipts/escalation.ts'
import { type Callback, isRungByAnother, type Receipt } from '../domain/receipts/receipt.ts'

export function receiptView(receipt: Receipt): ReceiptView {
  const { status, finishedAt, callback } = receipt
  return {
    notification_id: receipt.notificationId,
    status,
    repeat_seconds: receipt.repeatSeconds,
    expires_at: toRfc3339(receipt.expiresAt),
    repeats_sent: receipt.repeatsSent,
    created_at: toRfc3339(receipt.createdAt),
    last_delivered_at: optionalTime(receipt.lastDeliveredAt),
    acknowledged_at: status === 'acknowledged' ? optionalTime(finishedAt) : undefined,
    acknowledged_by: receipt.acknowledgedBy,
    acknowledged_by_device: receipt.acknowledgedByDevice,
    action_id: receipt.actionId,
    canceled_at: status === 'canceled' ? optionalTime(finishedAt) : undefined,
    cancel_reason: receipt.cancelReason,
    tags: receipt.tags.length > 0 ? receipt.tags : undefined,
    escalation: receipt.escalation?.slug,
    escalated_steps: receipt.escalation && receipt.escalatedSteps,
    next_escalation_at: optionalTime(nextStepAt(receipt)),
    shared_with: isRungByAnother(receipt) ? receipt.groupId : undefined,
    // A canceled receipt sends no callback, so none is pending.
    callback: callback && status !== 'canceled' ? callbackView(callback) : undefined,
  }
}

export const receiptStateView = (receipt: ReceiptState): ReceiptStateView => ({
  status: receipt.status,
  expires_at: toRfc3339(receipt.expiresAt),
  repeats_sent: receipt.repeatsSent,
  acknowledged_at: receipt.status === 'acknowledged' ? optionalTime(receipt.finishedAt) : undefined,
  acknowledged_by: receipt.acknowledgedBy,
  acknowledged_by_device: receipt.acknowledgedByDevice,
})

// Only acknowledged and expired receipts call back.
export const callbackBody = (receipt: Receipt): CallbackBody => ({
  type: receipt.status === 'acknowledged' ? 'notification.acknowledged' : 'notification.expired',
  timestamp: toRfc3339(receipt.finishedAt ?? receipt.expiresAt),
  data: receiptView(receipt),
})

// `step`: the one that was taken at this time. A later attempt tells the same.
export const stepCallbackBody = (receipt: Receipt, step: number, at: Instant): CallbackBody => ({
  type: 'notification.escalated',
  timestamp: toRfc3339(at),
  data: receiptView({ ...receipt, escalatedSteps: step }),
})

const callbackView = (callback: Callback): NonNullable<ReceiptView['callback']> => ({
  status: callback.status,
  attempts: callback.attempts,
  delivered_at: optionalTime(callback.deliveredAt),
  last_status_code: callback.lastStatusCode,
})

const optionalTime = (at: Instant | undefined) => (at === undefined ? undefined : toRfc3339(at))
