// Removes the oldest entries of an inbox in batches, each a short transaction in a slice of its own.
import type { UserId } from '../../domain/caller.ts'
import { adjustInbox, findInboxBytes } from '../../store/feeds.ts'
import { BOTH_HALVES, deleteOldest, type Removal } from '../../store/notifications/inbox-removal.ts'
import type { Context } from '../context.ts'

// Everything that fits the description.
export async function removeOldest(ctx: Context, userId: UserId, removal: Removal): Promise<void> {
  while (await removeBatch(ctx, userId, () => removal));
}

// As many of the oldest as it takes to keep no more than these bytes.
export async function trimToBytes(ctx: Context, userId: UserId, mostBytes: number): Promise<void> {
  const excess = (bytes: number) => (bytes > mostBytes ? { halves: BOTH_HALVES, bytes: bytes - mostBytes } : undefined)
  while (await removeBatch(ctx, userId, excess));
}

// True: there may be more. `removalFor` gets the bytes that the inbox has now.
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
