// Receipts for the sender of an alert: reads them, waits for their end, and cancels them.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel } from '../../domain/permissions.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import type { Reader } from '../../store/engine/database.ts'
import { findReceipt, listActiveReceipts, receiptTopic } from '../../store/receipts.ts'
import type { Context } from '../context.ts'
import { waitUntil } from '../wait-until.ts'
import { endReceipts } from './end.ts'

export async function readReceipt(
  ctx: Context,
  caller: Caller,
  id: NotificationId,
  wait: { seconds: number; gone: AbortSignal },
): Promise<Receipt> {
  const look = async (caller: Caller) => {
    requireLevel(caller, 'notifications', 'send')
    const receipt = await visibleReceipt(ctx.db.read, caller, id)
    return { value: receipt, isFinal: receipt.status !== 'active' }
  }
  if (wait.seconds === 0) return (await look(caller)).value
  return waitUntil(ctx, caller, { ...wait, topics: [receiptTopic(id)] }, look)
}

// A receipt that has ended stays as it is.
export async function cancelReceipt(ctx: Context, caller: Caller, id: NotificationId): Promise<Receipt> {
  requireLevel(caller, 'notifications', 'send')
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const receipt = await visibleReceipt(tx, caller, id)
    await endReceipts(tx, [receipt], { status: 'canceled', reason: 'api' }, now)
    return visibleReceipt(tx, caller, id)
  })
}

// Returns the number of canceled receipts.
export async function cancelByTag(ctx: Context, caller: Caller, tag: string): Promise<number> {
  requireLevel(caller, 'notifications', 'send')
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const active = await listActiveReceipts(tx, caller.userId)
    const tagged = active.filter((receipt) => isVisible(caller, receipt) && receipt.tags.includes(tag))
    return (await endReceipts(tx, tagged, { status: 'canceled', reason: 'tag' }, now)).length
  })
}

// A key sees the receipts of its own notifications, a person those of the account.
const isVisible = (caller: Caller, receipt: Receipt) => caller.kind !== 'key' || receipt.keyId === caller.keyId

// A receipt that the caller may not see is reported as not found.
async function visibleReceipt(db: Reader, caller: Caller, id: NotificationId): Promise<Receipt> {
  const receipt = await findReceipt(db, caller.userId, id)
  if (receipt && isVisible(caller, receipt)) return receipt
  throw new Problem('notification_receipt.not_found', `There is no receipt of a notification ${id}.`)
}
