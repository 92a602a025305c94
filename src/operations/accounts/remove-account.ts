// Deletes an account with everything in it, in batches: one statement for a large account would exceed PostgreSQL's
// timeout, and would block a server on the same SQLite file.
import type { UserId } from '../../domain/caller.ts'
import { deleteUser } from '../../store/accounts/accounts.ts'
import { deleteAccess, deleteOwned, OWNED_TABLES } from '../../store/accounts/removal.ts'
import type { Writer } from '../../store/engine/database.ts'
import { BOTH_HALVES, deleteOldest, MOST_ROWS } from '../../store/notifications/inbox-removal.ts'
import type { Context } from '../context.ts'
import { removeFilesOf } from '../files/retention.ts'
import { deleteScheduledJobs } from '../schedules/cancel.ts'
import { endNextShare } from '../shares/end.ts'
import { deleteInBatches } from './delete-in-batches.ts'

// If it is interrupted, nobody can use the account any more; running it again finishes the deletion.
export async function removeAccount(ctx: Context, userId: UserId): Promise<void> {
  await ctx.db.transact(async (tx) => {
    await deleteScheduledJobs(tx, userId)
    await deleteAccess(tx, userId)
  })
  const now = ctx.clock.now()
  await deleteInBatches(ctx, 1, (tx) => endNextShare(tx, userId, now))
  await deleteInBatches(ctx, MOST_ROWS, async (tx, rows) => {
    return (await deleteOldest(tx, userId, { halves: BOTH_HALVES, rows })) !== undefined
  })
  await removeFilesOf(ctx, userId)
  for (const { name, mostRows } of OWNED_TABLES) {
    await deleteInBatches(ctx, mostRows, (tx, rows) => deleteOwned(tx, userId, name, rows))
  }
  await ctx.db.transact((tx) => deleteUserAndStragglers(tx, userId))
}

// Deleting the user waits for sends in progress, whose events have a foreign key to it. Their inbox rows are deleted
// after that; a later send finds no user and fails.
async function deleteUserAndStragglers(tx: Writer, userId: UserId): Promise<void> {
  await deleteUser(tx, userId)
  while (await deleteOldest(tx, userId, { halves: BOTH_HALVES }));
}
