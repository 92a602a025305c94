// A receipt: what became of an alert that repeats until someone acknowledges it.
//
//   active ── a button is pressed ───────────▶ acknowledged   calls back
//          ── expires_at passes ─────────────▶ expired        calls back
//          ── canceled, deleted, superseded ─▶ canceled
//
// Whichever is committed first stands.
import { LIMITS } from '../../contract/limits.ts'
import type { CALLBACK_STATUSES, CANCEL_REASONS, RECEIPT_STATUSES } from '../../contract/receipt.ts'
import type { KeyId, UserId } from '../caller.ts'
import { type Instant, plusSeconds } from '../instant.ts'
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
  // As the sender gave it; pushes have one in any case.
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
}

export type Callback = {
  url: string
  status: (typeof CALLBACK_STATUSES)[number]
  attempts: number
  deliveredAt?: Instant
  lastStatusCode?: number
}

// How a receipt ends.
export type ReceiptEnding =
  | { status: 'acknowledged'; by: UserId; device?: string; actionId: string }
  | { status: 'expired' }
  | { status: 'canceled'; reason: CancelReason }

// One for the first push and all repeats, so that a device shows one banner.
export const receiptCollapseId = ({ notificationId, collapseId }: Pick<Receipt, 'notificationId' | 'collapseId'>) =>
  collapseId ?? `receipt-${notificationId}`

// A repeat that comes later than this was missed. Going on from then, not from when it was due, keeps what was missed
// from being made up for by repeats in quick succession.
const MISSED_AFTER_SECONDS = 2

// When the alert goes out the next time, if it still does by then. `dueAt` is when the last push was to go out.
export function nextRepeatAt(receipt: Receipt, dueAt: Instant, now: Instant): Instant | undefined {
  if (receipt.repeatsSent >= LIMITS.receiptRepeats) return undefined
  const isMissed = now > plusSeconds(dueAt, MISSED_AFTER_SECONDS)
  const next = plusSeconds(isMissed ? now : dueAt, receipt.repeatSeconds)
  return next < receipt.expiresAt ? next : undefined
}

// Whether this repeat is wanted still: the first push is 0. One that the next has overtaken is not.
export function isRepeatWanted(receipt: Receipt, repeat: number, now: Instant): boolean {
  return receipt.status === 'active' && receipt.repeatsSent === repeat && now < receipt.expiresAt
}
