// The caller as a member of an organization. People outside get the same answer as for an organization that does not
// exist.
import type { OrgRole } from '../contract/organizations/organization.ts'
import { Problem } from '../contract/problems.ts'
import type { Caller, UserCaller, UserId } from '../domain/caller.ts'
import { isOrgId } from '../domain/ids.ts'
import type { Membership } from '../domain/organizations/organization.ts'
import { requireRole } from '../domain/organizations/roles.ts'
import { requireUser } from '../domain/permissions.ts'
import { lockUser } from '../store/accounts/accounts.ts'
import type { Reader, Writer } from '../store/engine/database.ts'
import { findMembership } from '../store/organizations/memberships.ts'
import type { Context } from './context.ts'

export async function requireMembership(
  db: Reader,
  caller: Caller,
  orgId: string,
  required: OrgRole,
): Promise<Membership> {
  requireUser(caller)
  const membership = isOrgId(orgId) ? await findMembership(db, orgId, caller.userId) : undefined
  if (!membership) throw orgNotFound(orgId)
  requireRole(membership, required)
  return membership
}

// Every change of an organization holds the lock on its account, so that counts, roles and names stay as they were read.
export async function lockMembership(
  tx: Writer,
  caller: Caller,
  orgId: string,
  required: OrgRole,
): Promise<Membership> {
  if (!isOrgId(orgId)) throw orgNotFound(orgId)
  await lockUser(tx, orgId)
  return requireMembership(tx, caller, orgId, required)
}

// For the check of a request before its body is read.
export async function checkMembership(ctx: Context, caller: Caller, orgId: string, required: OrgRole): Promise<void> {
  await requireMembership(ctx.db.read, caller, orgId, required)
}

// Owners and admins act as the organization: the caller becomes one with full access to its account.
export async function actAsOrganization(ctx: Context, caller: Caller, orgId: string): Promise<UserCaller> {
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'admin')
  const { tokenHash, userId: actingMember } = caller
  const plan = ctx.config.plans.named(org.plan)
  const account = { userId: org.id, accountKind: 'organization', plan, holdsPushes: false } as const
  return { kind: 'user', tokenHash, ...account, actingMember }
}

// `me` in a path.
export const memberIdOf = (caller: Caller, userId: string): UserId =>
  userId === 'me' ? caller.userId : (userId as UserId)

const orgNotFound = (orgId: string) => new Problem('org.not_found', `There is no organization ${orgId}.`)
