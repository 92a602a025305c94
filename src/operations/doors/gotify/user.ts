// The account, as Gotify's apps ask for it when they log in and at every start.
import type { User } from '../../../domain/account.ts'
import type { Caller } from '../../../domain/caller.ts'
import { requireApp } from '../../../domain/permissions.ts'
import { findUser } from '../../../store/accounts/accounts.ts'
import { noteAppSeen } from '../../apps/seen.ts'
import type { Context } from '../../context.ts'

export async function readAppUser(ctx: Context, caller: Caller): Promise<User> {
  requireApp(caller, 'gotify')
  await noteAppSeen(ctx, caller)
  const user = await findUser(ctx.db.read, caller.userId)
  if (!user) throw new Error('the account of an app does not exist')
  return user
}
