// Adds a person to an organization and ends a membership, in the transaction of the cause.
import { INVITED_ROLES } from '../../contract/organizations/invitation.ts'
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { UserId } from '../../domain/caller.ts'
import type { GroupId, OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Member } from '../../domain/organizations/organization.ts'
import { requireOtherOwner } from '../../domain/organizations/roles.ts'
import { revocationTopic } from '../../store/accounts/tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { barFromCodes, deleteCodesMadeBy } from '../../store/join-codes.ts'
import { insertSetMembers } from '../../store/organizations/group-members.ts'
import { findGroup } from '../../store/organizations/groups.ts'
import { countOwners, deleteMembership, insertMembership } from '../../store/organizations/memberships.ts'
import { deleteOpenRecipient } from '../../store/organizations/sends.ts'
import { readReach, settleReach } from '../activities/reach-change.ts'

export type NewMember = { userId: UserId; role: OrgRole; groupIds: GroupId[] }

// Others end it. The person may know every code that is open, so none of these lets them in again; a new one does.
export async function removeFrom(
  tx: Writer,
  orgId: OrgId,
  member: Pick<Member, 'userId' | 'role'>,
  now: Instant,
): Promise<void> {
  await barFromCodes(tx, { userId: orgId }, member.userId, { roles: INVITED_ROLES, now })
  await endMembership(tx, orgId, member, now)
}

// The caller holds the locks on the organization and the person.
export async function addMember(tx: Writer, orgId: OrgId, member: NewMember, now: Instant): Promise<void> {
  const { userId, role, groupIds } = member
  const reach = await readReach(tx, orgId, [userId])
  await insertMembership(tx, { orgId, userId, role, joinedAt: now })
  for (const id of groupIds) {
    // A group that was deleted since the invitation is left out.
    const group = await findGroup(tx, orgId, id)
    if (group) await insertSetMembers(tx, group, [userId])
  }
  await appendToFeeds(tx, [
    { userId: orgId, event: { type: 'org.member_joined', at: now, data: { id: userId, role } } },
    { userId, event: { type: 'org.joined', at: now, data: { id: orgId, role } } },
    ...(await settleReach(tx, reach, now)),
  ])
}

// The caller holds the lock on the organization. What the person has invited others by ends with the membership. The keys of
// the organization go on, whoever made them.
export async function endMembership(
  tx: Writer,
  orgId: OrgId,
  { userId, role }: Pick<Member, 'userId' | 'role'>,
  now: Instant,
): Promise<void> {
  requireOtherOwner(role, await countOwners(tx, orgId))
  const reach = await readReach(tx, orgId, [userId])
  await deleteMembership(tx, orgId, userId)
  const invitationIds = await deleteCodesMadeBy(tx, orgId, userId)
  await deleteOpenRecipient(tx, orgId, userId)
  // Requests that this person holds open as the organization are checked again.
  tx.signal(revocationTopic(orgId))
  await appendToFeeds(tx, [
    { userId: orgId, event: { type: 'org.member_left', at: now, data: { id: userId } } },
    ...invitationIds.map((id) => ({
      userId: orgId,
      event: { type: 'org.invitation_deleted', at: now, data: { id } } as const,
    })),
    { userId, event: { type: 'org.left', at: now, data: { id: orgId } } },
    ...(await settleReach(tx, reach, now)),
  ])
}
