// What Gotify's apps ask for when they log in and at every start: the caller, the account, and whether the database is well.
import type { User } from '../../../domain/accounts/account.ts'
import type { Caller } from '../../../domain/caller.ts'
import { hasFormOfClientToken } from '../../../domain/doors/gotify/client.ts'
import { storedForm } from '../../../domain/doors/gotify/version3-token.ts'
import { requireApp } from '../../../domain/permissions.ts'
import { hashToken } from '../../../domain/token.ts'
import { findUser } from '../../../store/accounts/accounts.ts'
import { noteAppSeen } from '../../apps/follow.ts'
import { authenticate, type ReadCredentials } from '../../authenticate.ts'
import type { Context } from '../../context.ts'
import { authenticateAtDoor } from '../authenticate.ts'

export async function readAppUser(ctx: Context, caller: Caller): Promise<User> {
  requireApp(caller, 'gotify')
  await noteAppSeen(ctx, caller)
  const user = await findUser(ctx.db.read, caller.userId)
  if (!user) throw new Error('the account of an app does not exist')
  return user
}

// The state of the database, as Gotify reports its health.
export const isDatabaseWell = ({ db }: Context): boolean => db.trouble() === undefined

// Finds the caller of a request at the door for Gotify: also by the token of a client, which an app got when it logged in.
export const authenticateAtGotify = (
  ctx: Context,
  secret: string,
  readCredentials: ReadCredentials,
): Promise<Caller> =>
  hasFormOfClientToken(secret)
    ? authenticate(ctx, { kind: 'app', hash: hashToken(storedForm(secret)) })
    : authenticateAtDoor(ctx, 'gotify', secret, readCredentials)
