// Deletes notifications as Gotify's apps do: one, all, or those of one application.
import { Problem } from '../../../contract/problems.ts'
import type { Caller, UserId } from '../../../domain/caller.ts'
import { decodeCursor } from '../../../domain/cursor.ts'
import type { Notification, NotificationId } from '../../../domain/notifications/notification.ts'
import { requireApp } from '../../../domain/permissions.ts'
import { findRepeated } from '../../../store/doors/gotify-repeats.ts'
import type { Context } from '../../context.ts'
import { removeFromInbox } from '../../notifications/inbox.ts'
import { readNotifications } from '../../notifications/inbox-pages.ts'
import { filterOfApplication } from './applications.ts'

// By its number, or by that of one of its repeats.
export async function removeMessage(ctx: Context, caller: Caller, number: number): Promise<void> {
  requireApp(caller, 'gotify')
  const { userId } = caller
  const now = ctx.clock.now()
  const isRemoved = await ctx.db.transact(async (tx) => {
    const repeated = await findRepeated(tx, userId, number)
    return removeFromInbox(tx, userId, repeated ?? (number as NotificationId), now)
  })
  if (!isRemoved) throw new Problem('notification.not_found', 'message does not exist')
}

// Each batch takes a few milliseconds of SQLite's one writer.
const BATCH = 50

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

const removeBatch = (ctx: Context, userId: UserId, batch: Notification[]): Promise<void> =>
  ctx.db.transact(async (tx) => {
    const now = ctx.clock.now()
    // Rows of one table are locked in the order of their ids.
    for (const { id } of batch.toReversed()) await removeFromInbox(tx, userId, id, now)
  })
