// Deletes notifications as Gotify's apps do: one, all, or those of one application.
import { Problem } from '../../../contract/problems.ts'
import type { Caller, UserId } from '../../../domain/caller.ts'
import { decodeCursor } from '../../../domain/cursor.ts'
import type { Notification, NotificationId } from '../../../domain/notifications/notification.ts'
import { requireApp } from '../../../domain/permissions.ts'
import { findRepeated } from '../../../store/doors/gotify.ts'
import type { Context } from '../../context.ts'
import { readNotifications } from '../../notifications/inbox-pages.ts'
import { removeFromInbox } from '../../notifications/removal.ts'
import { filterOfApplication } from './applications.ts'

// By its number, or by that of one of its repeats.
export async function removeMessage(ctx: Context, caller: Caller, number: number): Promise<void> {
  requireApp(caller, 'gotify')
  const { userId } = caller
  const now = ctx.clock.now()
  const removed = await ctx.db.transact(async (tx) => {
    const repeated = await findRepeated(tx, userId, number)
    return removeFromInbox(tx, userId, [repeated ?? (number as NotificationId)], now)
  })
  if (removed.length === 0) throw new Problem('notification.not_found', 'message does not exist')
}

// Entries of 90 KB take SQLite's one writer about 10 ms per batch.
const BATCH = 20

// Works in batches, newest first: what arrives meanwhile stays. After a crash, a repeated request deletes the rest.
export async function removeMessages(ctx: Context, caller: Caller, application: number | undefined): Promise<void> {
  requireApp(caller, 'gotify')
  const { userId } = caller
  const filter = await filterOfApplication(ctx, userId, application)
  let before: NotificationId | undefined
  for (;;) {
    const { items, nextCursor } = await readNotifications(ctx, userId, filter, { before, limit: BATCH })
    await ctx.slices(userId, () => removeBatch(ctx, userId, items))
    if (nextCursor === undefined) return
    before = decodeCursor(nextCursor) as NotificationId
  }
}

const removeBatch = (ctx: Context, userId: UserId, batch: Notification[]): Promise<unknown> => {
  // Rows of one table are locked in the order of their ids.
  const ids = batch.map(({ id }) => id).reverse()
  return ctx.db.transact((tx) => removeFromInbox(tx, userId, ids, ctx.clock.now()))
}
