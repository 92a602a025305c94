// Joins an organization by the code of an invitation.
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { invitationInvalid, isExpired, readJoinCode } from '../../domain/join-code.ts'
import type { Invitation, Membership, Organization } from '../../domain/organizations/organization.ts'
import { requireRoomForMember, requireRoomForOrganization } from '../../domain/organizations/roles.ts'
import { requireUser } from '../../domain/permissions.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { findJoinCode, isBarredFrom, takeUse } from '../../store/join-codes.ts'
import { countMembers, countMemberships, findMembership } from '../../store/organizations/memberships.ts'
import { findOrganization } from '../../store/organizations/organizations.ts'
import type { Context } from '../context.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { addMember } from './memberships.ts'
import { type OrganizationOverview, overviewOf } from './organizations.ts'

export type Joined = { overview: OrganizationOverview; invitation: Invitation; action: 'joined' | 'was_member' }

export async function joinOrganization(
  ctx: Context,
  caller: Caller,
  code: string,
  mode: ChangeMode = 'commit',
): Promise<Joined> {
  requireUser(caller)
  const now = ctx.clock.now()
  return transactOrRehearse(ctx, mode, (tx) => joinByInvitation(ctx, tx, caller.userId, code, now))
}

// A refused join uses nothing up. A member who uses a code again, even one that is used up, keeps role and groups.
export async function joinByInvitation(
  ctx: Context,
  tx: Writer,
  userId: UserId,
  code: string,
  now: Instant,
): Promise<Joined> {
  const found = await requireInvitation(tx, code, now)
  await lockUser(tx, found.orgId)
  // Read again under the lock: the invitation may have been deleted, or the organization.
  const invitation = await requireInvitation(tx, code, now)
  const org = await findOrganization(tx, invitation.orgId)
  if (!org) throw invitationInvalid()
  const known = await findMembership(tx, org.id, userId)
  const membership = known ?? (await joinBy(ctx, tx, org, invitation, { userId, now }))
  const overview = await overviewOf(ctx, tx, membership, now)
  return { overview, invitation, action: known ? 'was_member' : 'joined' }
}

async function requireInvitation(db: Reader, text: string, now: Instant): Promise<Invitation> {
  const code = readJoinCode(text)
  const invitation = code && (await findJoinCode(db, 'invitation', code))
  if (!invitation || isExpired(invitation, now)) throw invitationInvalid()
  return invitation
}

async function joinBy(
  { config }: Context,
  tx: Writer,
  org: Organization,
  { id, role, groupIds }: Invitation,
  { userId, now }: { userId: UserId; now: Instant },
): Promise<Membership> {
  if ((await isBarredFrom(tx, id, userId)) || !(await takeUse(tx, id, now))) throw invitationInvalid()
  requireRoomForMember(config.plans.named(org.plan), await countMembers(tx, org.id))
  // Locked after the organization: the count of the person's organizations stays as it is until the insert.
  await lockUser(tx, userId)
  requireRoomForOrganization(await countMemberships(tx, userId))
  await addMember(tx, org.id, { userId, role, groupIds }, now)
  return { org, userId, role, mutedUntil: null, joinedAt: now }
}
