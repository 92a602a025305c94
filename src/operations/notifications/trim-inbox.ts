// Removes the oldest entries of an inbox in batches, each a short transaction in a slice of its own.
import type { UserId } from '../../domain/caller.ts'
import { adjustInbox, findInboxBytes } from '../../store/events/feeds.ts'
import { BOTH_HALVES, deleteOldest, type Removal } from '../../store/notifications/inbox-removal.ts'
import type { Context } from '../context.ts'

// Removes all entries that `removal` describes.
export async function removeOldest(ctx: Context, userId: UserId, removal: Removal): Promise<void> {
  while (await removeBatch(ctx, userId, () => removal));
}

// Removes the oldest entries until the inbox has at most `mostBytes`.
export async function trimToBytes(ctx: Context, userId: UserId, mostBytes: number): Promise<void> {
  const excess = (bytes: number) => (bytes > mostBytes ? { halves: BOTH_HALVES, bytes: bytes - mostBytes } : undefined)
  while (await removeBatch(ctx, userId, excess));
}

// Returns whether there may be more to remove. `removalFor` gets the current size of the inbox.
function removeBatch(
  ctx: Context,
  userId: UserId,
  removalFor: (inboxBytes: number) => Removal | undefined,
): Promise<boolean> {
  return ctx.slices(userId, () =>
    ctx.db.transact(async (tx) => {
      const removal = removalFor(await findInboxBytes(tx, userId))
      const delta = removal && (await deleteOldest(tx, userId, removal))
      if (delta) await adjustInbox(tx, userId, delta)
      return delta !== undefined
    }),
  )
}
