// Deletes a person's account. Organizations outlive their members, but never their last one.
import { Problem } from '../../contract/problems.ts'
import type { User } from '../../domain/accounts/account.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Membership } from '../../domain/organizations/organization.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { countMembers, countOwners, findMembership, listMemberships } from '../../store/organizations/memberships.ts'
import type { Context } from '../context.ts'
import { endMembership } from '../organizations/memberships.ts'
import { requireUserByName } from './accounts.ts'
import { close } from './close-organization.ts'
import { removeAccount } from './remove-account.ts'

export async function removeUser(ctx: Context, name: string): Promise<User> {
  const user = await requireUserByName(ctx, name)
  const memberships = await listMemberships(ctx.db.read, user.id)
  // All are checked before the first one ends.
  for (const membership of memberships) await requireReplaceable(ctx, membership)
  const now = ctx.clock.now()
  for (const membership of memberships) await ctx.db.transact((tx) => leave(tx, membership, now))
  await removeAccount(ctx, user.id)
  return user
}

async function requireReplaceable(ctx: Context, { org, role }: Membership): Promise<void> {
  const { read } = ctx.db
  const isLastOwner = role === 'owner' && (await countOwners(read, org.id)) === 1
  if (!isLastOwner || (await countMembers(read, org.id)) === 1) return
  throw new Problem(
    'org.last_owner',
    `This is the last owner of the organization "${org.name}" (${org.id}), which has other members; make one of them owner first.`,
  )
}

// An organization with nobody else in it is deleted.
async function leave(tx: Writer, { org, userId }: Membership, now: Instant): Promise<void> {
  await lockUser(tx, org.id)
  const membership = await findMembership(tx, org.id, userId)
  if (!membership) return
  if ((await countMembers(tx, org.id)) === 1) await close(tx, org.id, now)
  else await endMembership(tx, org.id, membership, now)
}
