// Deletes an account with everything in it. In batches: one statement for all of a large account would run into
// PostgreSQL's timeout, and would keep SQLite's write lock from a server that runs beside the command line.
import { setTimeout as pause } from 'node:timers/promises'
import type { User } from '../../domain/account.ts'
import type { UserId } from '../../domain/caller.ts'
import { deleteUser } from '../../store/accounts/accounts.ts'
import { deleteAccess, deleteOwned, OWNED_TABLES } from '../../store/accounts/removal.ts'
import type { Writer } from '../../store/engine/database.ts'
import { BOTH_HALVES, deleteOldest } from '../../store/notifications/inbox-removal.ts'
import type { Context } from '../context.ts'
import { deleteScheduledJobs } from '../schedules/cancel.ts'
import { requireUserByName } from './accounts.ts'

// Between batches, so that a server on the same SQLite file gets the write lock.
const PAUSE_MS = 5

// Interrupted, it leaves an account that nobody can use; running it again finishes the work.
export async function removeUser(ctx: Context, name: string): Promise<User> {
  const user = await requireUserByName(ctx, name)
  await ctx.db.transact(async (tx) => {
    await deleteScheduledJobs(tx, user.id)
    await deleteAccess(tx, user.id)
  })
  await deleteInBatches(ctx, async (tx) => (await deleteOldest(tx, user.id, { halves: BOTH_HALVES })) !== undefined)
  for (const table of OWNED_TABLES) await deleteInBatches(ctx, (tx) => deleteOwned(tx, user.id, table))
  await ctx.db.transact((tx) => deleteUserAndStragglers(tx, user.id))
  return user
}

// Deleting the user waits for sends under way: the event that each writes has a foreign key to it. What they have put into
// the inbox since is deleted after that; a later send finds no user and fails.
async function deleteUserAndStragglers(tx: Writer, userId: UserId): Promise<void> {
  await deleteUser(tx, userId)
  while (await deleteOldest(tx, userId, { halves: BOTH_HALVES }));
}

async function deleteInBatches(ctx: Context, deleteSome: (tx: Writer) => Promise<boolean>): Promise<void> {
  while (await ctx.db.transact(deleteSome)) await pause(PAUSE_MS)
}
