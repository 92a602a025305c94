// What each role of an organization may do.
import { ORG_ROLES, type OrgRole } from '../../contract/organizations/organization.ts'
import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../caller.ts'
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
