// Lists receipts, newest first, with their notifications.
import type { ReceiptQuery } from '../../contract/notifications/inbox.ts'
import type { Caller } from '../../domain/caller.ts'
import { decodeCursor, encodeCursor, type Page } from '../../domain/cursor.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel } from '../../domain/permissions.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import { listEntries } from '../../store/notifications/inbox-list.ts'
import { type InboxEntry, loadContents } from '../../store/notifications/notifications.ts'
import { listReceipts, type ReceiptHalf } from '../../store/receipts.ts'
import type { ListedReceipt } from '../../views/notifications.ts'
import type { Context } from '../context.ts'
import { readCursor, readPage } from '../paging.ts'
import { withStates } from './states.ts'

// `entry`: unless the notification was deleted.
type Found = { receipt: Receipt; entry: InboxEntry | undefined }

const BOTH: readonly ReceiptHalf[] = ['active', 'ended']

// A key lists the receipts of its own notifications, a person those of the account and of their organizations.
export async function readReceiptPage(
  ctx: Context,
  caller: Caller,
  { status, limit, cursor }: ReceiptQuery,
): Promise<Page<ListedReceipt>> {
  requireLevel(caller, 'notifications', 'send')
  const listing = {
    halves: status ? [status] : BOTH,
    keyId: caller.kind === 'key' ? caller.keyId : undefined,
    withOrganizations: caller.kind === 'user',
    before: readCursor(cursor, decodeCursor) as NotificationId | undefined,
  }
  return readPage(limit, {
    find: async (count) => {
      const receipts = await listReceipts(ctx.db.read, caller.userId, listing, count)
      return { entries: await withEntries(ctx, caller, receipts) }
    },
    bytesOf: ({ entry }) => entry?.bytes ?? 0,
    load: (found) => withNotifications(ctx, caller, found),
    cursorAfter: ({ receipt }) => encodeCursor(receipt.notificationId),
  })
}

async function withEntries(ctx: Context, { userId }: Caller, receipts: Receipt[]): Promise<Found[]> {
  if (receipts.length === 0) return []
  const ids = receipts.map(({ notificationId }) => notificationId)
  const entries = await listEntries(ctx.db.read, userId, {}, { ids }, ids.length)
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return receipts.map((receipt) => ({ receipt, entry: byId.get(receipt.notificationId) }))
}

async function withNotifications(ctx: Context, caller: Caller, found: Found[]): Promise<ListedReceipt[]> {
  const entries = found.flatMap(({ entry }) => entry ?? [])
  const contents = await loadContents(ctx.db.read, caller.userId, entries)
  const shown = await withStates(ctx.db.read, caller, contents)
  const byId = new Map(shown.map((one) => [one.notification.id, one]))
  return found.map(({ receipt }) => ({ receipt, shown: byId.get(receipt.notificationId) }))
}
