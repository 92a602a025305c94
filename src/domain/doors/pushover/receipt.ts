// Receipts of emergency messages, as senders of Pushover know them: 30 letters and digits, "r" and the number of the
// notification.
import { type Instant, toUnixSeconds } from '../../instant.ts'
import type { DoorRecord, NotificationId } from '../../notifications/notification.ts'
import type { Receipt } from '../../receipts/receipt.ts'
import { fromDigits, toDigits } from '../number-digits.ts'

const RECEIPT_CHARS = 30
const FORM = /^r[0-9A-Za-z]{29}$/

export const receiptIdOf = (id: NotificationId): string => `r${toDigits(id, RECEIPT_CHARS - 1)}`

export const notificationOfReceipt = (receiptId: string): NotificationId | undefined =>
  FORM.test(receiptId) ? (fromDigits(receiptId.slice(1)) as NotificationId | undefined) : undefined

// Who has acknowledged is the user whom the sender has named: it knows no other name of the account.
export function pushoverAcknowledgement(receipt: Receipt, record: DoorRecord | undefined): Record<string, string> {
  return {
    receipt: receiptIdOf(receipt.notificationId),
    acknowledged: '1',
    acknowledged_at: String(secondsOf(receipt.finishedAt)),
    acknowledged_by: userOf(record),
    acknowledged_by_device: receipt.acknowledgedByDevice ?? '',
  }
}

export function receiptAnswer(receipt: Receipt, record: DoorRecord | undefined, now: Instant): object {
  const isAcknowledged = receipt.status === 'acknowledged'
  const { callback } = receipt
  return {
    acknowledged: isAcknowledged ? 1 : 0,
    acknowledged_at: isAcknowledged ? secondsOf(receipt.finishedAt) : 0,
    acknowledged_by: isAcknowledged ? userOf(record) : '',
    acknowledged_by_device: receipt.acknowledgedByDevice ?? '',
    last_delivered_at: secondsOf(receipt.lastDeliveredAt),
    // A canceled receipt repeats no more, which Pushover calls expired.
    expired: !isAcknowledged && (receipt.status !== 'active' || receipt.expiresAt <= now) ? 1 : 0,
    expires_at: secondsOf(receipt.expiresAt),
    called_back: callback?.deliveredAt === undefined ? 0 : 1,
    called_back_at: secondsOf(callback?.deliveredAt),
  }
}

const userOf = (record: DoorRecord | undefined): string => String(record?.message.user ?? '')

const secondsOf = (at: Instant | undefined): number => (at === undefined ? 0 : toUnixSeconds(at))
