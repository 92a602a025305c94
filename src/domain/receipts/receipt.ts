// A receipt: the state of an alert that repeats until someone acknowledges it.
//
//   active ── a button is pressed ───────────▶ acknowledged   calls back
//          ── expires_at passes ─────────────▶ expired        calls back
//          ── canceled, deleted, superseded ─▶ canceled
//
// While it is active it repeats, and takes the steps of its escalation policy (domain/escalations), unless it is in a group
// whose first receipt does so for all. Acknowledging one of a group acknowledges all.
// The first committed change wins.
import type { EventType } from '../../contract/events/event.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { CALLBACK_STATUSES, CANCEL_REASONS, RECEIPT_STATUSES } from '../../contract/receipts.ts'
import type { KeyId, UserId } from '../caller.ts'
import type { AlertEscalation } from '../escalations.ts'
import type { NewEvent } from '../events.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import type { CallbackForm } from '../notifications/acknowledge.ts'
import type { NotificationId } from '../notifications/notification.ts'

export type CancelReason = (typeof CANCEL_REASONS)[number]

export type Receipt = {
  notificationId: NotificationId
  userId: UserId
  keyId: KeyId | null
  status: (typeof RECEIPT_STATUSES)[number]
  repeatSeconds: number
  repeatsSent: number
  tags: string[]
  escalation?: AlertEscalation
  escalatedSteps: number
  // As the sender gave it. Pushes have a default if it is absent.
  collapseId?: string
  createdAt: Instant
  expiresAt: Instant
  lastDeliveredAt?: Instant
  finishedAt?: Instant
  acknowledgedBy?: UserId
  acknowledgedByDevice?: string
  actionId?: string
  cancelReason?: CancelReason
  callback?: Callback
  // If alerts share a receipt: the id of the alert that repeats and takes the steps for the group. It may be this one.
  groupId?: NotificationId
}

// `form`: unless it is our own, which is signed and also tells of the expiry.
export type Callback = {
  url: string
  form?: CallbackForm
  status: (typeof CALLBACK_STATUSES)[number]
  attempts: number
  deliveredAt?: Instant
  lastStatusCode?: number
}

export type ReceiptEnding =
  | { status: 'acknowledged'; by: UserId; device?: string; actionId: string }
  | { status: 'expired' }
  | { status: 'canceled'; reason: CancelReason }

export const isRungByAnother = ({ notificationId, groupId = notificationId }: Receipt): boolean =>
  groupId !== notificationId

// The same for the first push and all repeats, so that a device shows one banner.
export const receiptCollapseId = ({ notificationId, collapseId }: Pick<Receipt, 'notificationId' | 'collapseId'>) =>
  collapseId ?? `receipt-${notificationId}`

// A repeat that is later than this was missed. The next one is then counted from now, not from when it was due: missed
// repeats must not be sent in quick succession.
const REPEAT_MISSED_AFTER_SECONDS = 2

// The time of the next repeat, if it is before the end. `dueAt` is when the last push was due.
export function nextRepeatAt(receipt: Receipt, dueAt: Instant, now: Instant): Instant | undefined {
  if (receipt.repeatsSent >= LIMITS.receipt.maxRepeats) return undefined
  const isMissed = now > plusSeconds(dueAt, REPEAT_MISSED_AFTER_SECONDS)
  const next = plusSeconds(isMissed ? now : dueAt, receipt.repeatSeconds)
  return next < receipt.expiresAt ? next : undefined
}

// Whether this repeat is still wanted; 0 is the first push. One that a later repeat has overtaken is not.
export function isRepeatWanted(receipt: Receipt, repeat: number, now: Instant): boolean {
  return receipt.status === 'active' && receipt.repeatsSent === repeat && now < receipt.expiresAt
}

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
