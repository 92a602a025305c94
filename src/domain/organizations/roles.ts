// What each role of an organization may do, and how many members, groups, tags and invitations an organization has.

import { LIMITS } from '../../contract/limits.ts'
import { ORG_ROLES, type OrgRole } from '../../contract/organizations/organization.ts'
import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../caller.ts'
import type { Plan } from '../plans.ts'
import type { Membership } from './organization.ts'

export const hasRole = (role: OrgRole, required: OrgRole): boolean =>
  ORG_ROLES.indexOf(role) >= ORG_ROLES.indexOf(required)

export function requireRole({ role }: Pick<Membership, 'role'>, required: OrgRole): void {
  if (hasRole(role, required)) return
  throw new Problem('org.role_denied', `This needs the role ${required}; the caller is ${role}.`, {
    required_role: required,
  })
}

// Everyone may leave. Admins remove members; owners remove anyone.
export function requireMayRemove(caller: Membership, member: { userId: UserId; role: OrgRole }): void {
  if (member.userId === caller.userId) return
  requireRole(caller, member.role === 'member' ? 'admin' : 'owner')
}

// Admins invite members; owners also invite admins.
export function requireMayInvite(caller: Membership, role: OrgRole): void {
  requireRole(caller, role === 'member' ? 'admin' : 'owner')
}

// `ownerCount`: owners before the change.
export function requireOtherOwner(role: OrgRole, ownerCount: number): void {
  if (role !== 'owner' || ownerCount > 1) return
  throw new Problem('org.last_owner', 'This is the last owner of the organization; make someone else owner first.')
}

const { organization } = LIMITS

export type Capped = 'organizations' | 'members' | 'groups' | 'tags' | 'invitations'

export const requireRoomForOrganization = (count: number): void =>
  requireRoom('organizations', count, organization.maxPerPerson, 'A person is a member of')

export const requireRoomForMember = ({ caps }: Plan, count: number): void =>
  requireRoom('members', count, caps.members, 'An organization on this plan has')

export const requireRoomForGroup = (count: number): void =>
  requireRoom('groups', count, organization.maxGroups, 'An organization has')

export const requireRoomForTag = (count: number): void =>
  requireRoom('tags', count, organization.maxTags, 'An organization has')

export const requireRoomForInvitation = (count: number): void =>
  requireRoom('invitations', count, organization.maxOpenInvitations, 'An organization has open')

function requireRoom(kind: Capped, count: number, limit: number, who: string): void {
  if (count < limit) return
  throw new Problem('org.limit_exceeded', `${who} at most ${limit} ${kind}.`, { kind, limit })
}
