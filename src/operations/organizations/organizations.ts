// Creates, lists, reads and renames organizations.
import { Problem } from '../../contract/problems.ts'
import type { AccountUsage } from '../../domain/accounts/account.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Membership, Organization } from '../../domain/organizations/organization.ts'
import { hasRole, requireRoomForOrganization } from '../../domain/organizations/roles.ts'
import { requireUser } from '../../domain/permissions.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { countMembers, countMemberships, listMemberships } from '../../store/organizations/memberships.ts'
import { insertOrganization, updateOrganizationName } from '../../store/organizations/organizations.ts'
import type { Context } from '../context.ts'
import { lockMembership, requireMembership } from '../membership.ts'
import { describeUsage } from '../quota.ts'
import { addMember } from './memberships.ts'
import { tellAllMembers } from './tell-members.ts'

export async function createOrganization(ctx: Context, caller: Caller, name: string): Promise<OrganizationOverview> {
  requireUser(caller)
  if (!caller.plan.isPaid) {
    throw new Problem('subscription.required', 'Creating an organization needs a paid plan.')
  }
  const now = ctx.clock.now()
  // Organizations start on `paid`, which is their own from then on; otherwise free accounts would multiply their
  // quotas.
  const org: Organization = { id: newUuid() as OrgId, name, plan: 'paid', createdAt: now }
  return ctx.db.transact(async (tx) => {
    await foundOrganization(tx, org, caller.userId)
    return overviewOf(ctx, tx, await requireMembership(tx, caller, org.id, 'owner'), now)
  })
}

export async function foundOrganization(tx: Writer, org: Organization, owner: UserId): Promise<void> {
  await lockUser(tx, owner)
  requireRoomForOrganization(await countMemberships(tx, owner))
  await insertOrganization(tx, org)
  await addMember(tx, org.id, { userId: owner, role: 'owner', groupIds: [] }, org.createdAt)
}

export async function allOrganizations(ctx: Context, caller: Caller): Promise<OrganizationOverview[]> {
  requireUser(caller)
  const now = ctx.clock.now()
  const memberships = await listMemberships(ctx.db.read, caller.userId)
  // Counting the members of twenty large organizations at once would block the event loop.
  const overviews: OrganizationOverview[] = []
  for (const membership of memberships) {
    overviews.push(await ctx.slices(caller.userId, () => overviewOf(ctx, ctx.db.read, membership, now)))
  }
  return overviews
}

export async function readOrganization(ctx: Context, caller: Caller, orgId: string): Promise<OrganizationOverview> {
  const membership = await requireMembership(ctx.db.read, caller, orgId, 'member')
  return overviewOf(ctx, ctx.db.read, membership, ctx.clock.now())
}

export async function renameOrganization(
  ctx: Context,
  caller: Caller,
  orgId: string,
  name: string,
): Promise<OrganizationOverview> {
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const membership = await lockMembership(tx, caller, orgId, 'admin')
    const org = { ...membership.org, name }
    await updateOrganizationName(tx, org.id, name)
    await tellAllMembers(tx, org.id, now)
    return overviewOf(ctx, tx, { ...membership, org }, now)
  })
}

// An organization as one of its members sees it.
// Owners and admins see the usage.
export type OrganizationOverview = { membership: Membership; memberCount: number; usage?: AccountUsage }

export async function overviewOf(
  { config }: Context,
  db: Reader,
  membership: Membership,
  now: Instant,
): Promise<OrganizationOverview> {
  const { org, role } = membership
  const memberCount = await countMembers(db, org.id)
  if (!hasRole(role, 'admin')) return { membership, memberCount }
  const account = { id: org.id, plan: config.plans.named(org.plan) }
  return { membership, memberCount, usage: await describeUsage(db, account, now) }
}
