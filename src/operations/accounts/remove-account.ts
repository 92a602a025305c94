// Deletes an account with everything in it, in batches: one statement for a large account would exceed PostgreSQL's
// timeout, and would block a server on the same SQLite file.
import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '../../domain/caller.ts'
import { deleteUser } from '../../store/accounts/accounts.ts'
import { deleteAccess, deleteOwned, OWNED_TABLES } from '../../store/accounts/removal.ts'
import type { Writer } from '../../store/engine/database.ts'
import { BOTH_HALVES, deleteOldest } from '../../store/notifications/inbox-removal.ts'
import type { Context } from '../context.ts'
import { removeFilesOf } from '../files/retention.ts'
import { deleteScheduledJobs } from '../schedules/cancel.ts'
import { endNextShare } from '../shares/end.ts'

// A pause between batches lets a server on the same SQLite file take the write lock. It is at least as long as the batch
// took, so that others have the database for half of the time however busy the machine is.
const SHORTEST_PAUSE_MS = 5

// If it is interrupted, nobody can use the account any more; running it again finishes the deletion.
export async function removeAccount(ctx: Context, userId: UserId): Promise<void> {
  await ctx.db.transact(async (tx) => {
    await deleteScheduledJobs(tx, userId)
    await deleteAccess(tx, userId)
  })
  const now = ctx.clock.now()
  await deleteInBatches(ctx, (tx) => endNextShare(tx, userId, now))
  await deleteInBatches(ctx, async (tx) => (await deleteOldest(tx, userId, { halves: BOTH_HALVES })) !== undefined)
  await removeFilesOf(ctx, userId)
  for (const table of OWNED_TABLES) await deleteInBatches(ctx, (tx) => deleteOwned(tx, userId, table))
  await ctx.db.transact((tx) => deleteUserAndStragglers(tx, userId))
}

// Deleting the user waits for sends in progress, whose events have a foreign key to it. Their inbox rows are deleted
// after that; a later send finds no user and fails.
async function deleteUserAndStragglers(tx: Writer, userId: UserId): Promise<void> {
  await deleteUser(tx, userId)
  while (await deleteOldest(tx, userId, { halves: BOTH_HALVES }));
}

async function deleteInBatches(ctx: Context, deleteSome: (tx: Writer) => Promise<boolean>): Promise<void> {
  for (;;) {
    const startMs = ctx.clock.monotonicMs()
    if (!(await ctx.db.transact(deleteSome))) return
    await pause(Math.max(ctx.clock.monotonicMs() - startMs, SHORTEST_PAUSE_MS))
  }
}
