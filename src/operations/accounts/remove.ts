// Deletes an account with everything in it, in batches: one statement for a large account would exceed PostgreSQL's
// timeout, and would block a server on the same SQLite file.
import { setTimeout as pause } from 'node:timers/promises'
import type { User } from '../../domain/account.ts'
import type { UserId } from '../../domain/caller.ts'
import { deleteUser } from '../../store/accounts/accounts.ts'
import { deleteAccess, deleteOwned, OWNED_TABLES } from '../../store/accounts/removal.ts'
import type { Writer } from '../../store/engine/database.ts'
import { BOTH_HALVES, deleteOldest } from '../../store/notifications/inbox-removal.ts'
import type { Context } from '../context.ts'
import { deleteScheduledJobs } from '../schedules/cancel.ts'
import { endNextShare } from '../shares/end.ts'
import { requireUserByName } from './accounts.ts'

// A pause between batches lets a server on the same SQLite file take the write lock.
const PAUSE_MS = 5

// If it is interrupted, nobody can use the account any more; running it again finishes the deletion.
export async function removeUser(ctx: Context, name: string): Promise<User> {
  const user = await requireUserByName(ctx, name)
  await ctx.db.transact(async (tx) => {
    await deleteScheduledJobs(tx, user.id)
    await deleteAccess(tx, user.id)
  })
  const now = ctx.clock.now()
  await deleteInBatches(ctx, (tx) => endNextShare(tx, user.id, now))
  await deleteInBatches(ctx, async (tx) => (await deleteOldest(tx, user.id, { halves: BOTH_HALVES })) !== undefined)
  for (const table of OWNED_TABLES) await deleteInBatches(ctx, (tx) => deleteOwned(tx, user.id, table))
  await ctx.db.transact((tx) => deleteUserAndStragglers(tx, user.id))
  return user
}

// Deleting the user waits for sends in progress, whose events have a foreign key to it. Their inbox rows are deleted
// after that; a later send finds no user and fails.
async function deleteUserAndStragglers(tx: Writer, userId: UserId): Promise<void> {
  await deleteUser(tx, userId)
  while (await deleteOldest(tx, userId, { halves: BOTH_HALVES }));
}

async function deleteInBatches(ctx: Context, deleteSome: (tx: Writer) => Promise<boolean>): Promise<void> {
  while (await ctx.db.transact(deleteSome)) await pause(PAUSE_MS)
}
