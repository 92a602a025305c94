// Receipts of emergency messages for their senders.
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { notificationOfReceipt } from '../../../domain/doors/pushover/receipt.ts'
import type { DoorRecord, NotificationId } from '../../../domain/notifications/notification.ts'
import type { Receipt } from '../../../domain/receipts/receipt.ts'
import { findDoorRecord } from '../../../store/doors/records.ts'
import type { Context } from '../../context.ts'
import { cancelReceipt, readReceipt } from '../../receipts/receipts.ts'

const NO_WAIT = { seconds: 0, gone: new AbortController().signal }

// `record` is undefined once the notification has been deleted.
export async function findPushoverReceipt(
  ctx: Context,
  caller: Caller,
  receiptId: string,
): Promise<{ receipt: Receipt; record?: DoorRecord }> {
  const id = requireNotification(receiptId)
  const receipt = await readReceipt(ctx, caller, id, NO_WAIT)
  return { receipt, record: await findDoorRecord(ctx.db.read, receipt.userId, id) }
}

export async function cancelPushoverReceipt(ctx: Context, caller: Caller, receiptId: string): Promise<void> {
  await cancelReceipt(ctx, caller, requireNotification(receiptId))
}

function requireNotification(receiptId: string): NotificationId {
  const id = notificationOfReceipt(receiptId)
  if (id !== undefined) return id
  throw new Problem('notification_receipt.not_found', 'There is no such receipt.')
}
