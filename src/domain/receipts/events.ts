// The events of a receipt.
import type { EventType } from '../../contract/events/event-types.ts'
import type { NewEvent } from '../events.ts'
import type { Instant } from '../instant.ts'
import type { Receipt } from './receipt.ts'

type ReceiptEventType = Extract<EventType, `receipt.${string}`>

// The event that reports a change of a receipt.
export const receiptEvent = (type: ReceiptEventType, receipt: Receipt, at: Instant): NewEvent => ({
  type,
  at,
  data: {
    id: receipt.notificationId,
    repeats_sent: receipt.repeatsSent,
    escalated_steps: receipt.escalation && receipt.escalatedSteps,
    action_id: receipt.actionId,
    cancel_reason: receipt.cancelReason,
  },
})
