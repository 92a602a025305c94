// Receipts for the sender of an alert: reads them, waits for their end, and cancels them.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { requireRole } from '../../domain/organizations/roles.ts'
import type { EntryOrigin } from '../../domain/organizations/send.ts'
import { requireLevel } from '../../domain/permissions.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import type { Reader } from '../../store/engine/database.ts'
import { findOrigin } from '../../store/organizations/entries.ts'
import { findMembership } from '../../store/organizations/memberships.ts'
import { findReceipt, listActiveReceipts, receiptTopic } from '../../store/receipts.ts'
import type { Context } from '../context.ts'
import { type Wait, waitUntil } from '../wait-until.ts'
import { endReceipts } from './end.ts'

export async function readReceipt(ctx: Context, caller: Caller, id: NotificationId, wait: Wait): Promise<Receipt> {
  const look = async (caller: Caller) => {
    requireLevel(caller, 'notifications', 'send')
    const receipt = await visibleReceipt(ctx.db.read, caller, id)
    return { value: receipt, isFinal: receipt.status !== 'active' }
  }
  if (wait.seconds === 0) return (await look(caller)).value
  const topics = [receiptTopic(await headIdOf(ctx, caller, id))]
  return waitUntil(ctx, caller, { ...wait, topics }, look)
}

// The end of an entry's receipt, and its answer, are signaled under the id of the organization's notification.
export async function headIdOf(ctx: Context, caller: Caller, id: NotificationId): Promise<NotificationId> {
  const entry = caller.kind === 'user' ? await findOrigin(ctx.db.read, caller.userId, id) : undefined
  return entry?.headId ?? id
}

// A receipt that has ended stays as it is.
export async function cancelReceipt(ctx: Context, caller: Caller, id: NotificationId): Promise<Receipt> {
  requireLevel(caller, 'notifications', 'send')
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const { receipt, entry } = await findVisible(tx, caller, id)
    if (entry) await requireMayCancel(tx, entry)
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

// For a member of an organization the notification has the id of their entry.
async function visibleReceipt(db: Reader, caller: Caller, id: NotificationId): Promise<Receipt> {
  const { receipt, entry } = await findVisible(db, caller, id)
  return entry ? { ...receipt, notificationId: entry.entryId } : receipt
}

// A receipt that the caller may not see is reported as not found.
async function findVisible(
  db: Reader,
  caller: Caller,
  id: NotificationId,
): Promise<{ receipt: Receipt; entry?: EntryOrigin }> {
  const own = await findReceipt(db, caller.userId, id)
  if (own && isVisible(caller, own)) return { receipt: own }
  const entry = caller.kind === 'user' ? await findOrigin(db, caller.userId, id) : undefined
  const receipt = entry && (await findReceipt(db, entry.orgId, entry.headId))
  if (receipt) return { receipt, entry }
  throw new Problem('notification_receipt.not_found', `There is no receipt of a notification ${id}.`)
}

async function requireMayCancel(db: Reader, { orgId, userId }: EntryOrigin): Promise<void> {
  const membership = await findMembership(db, orgId, userId)
  if (membership) requireRole(membership, 'admin')
}
