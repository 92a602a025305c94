// An organization as one of its members sees it.
import type { AccountUsage } from '../../domain/account.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Membership } from '../../domain/organizations/organization.ts'
import { hasRole } from '../../domain/organizations/roles.ts'
import type { Reader } from '../../store/engine/database.ts'
import { countMembers } from '../../store/organizations/memberships.ts'
import { describeUsage } from '../accounts/usage.ts'

// Owners and admins see the usage.
export type OrganizationOverview = { membership: Membership; memberCount: number; usage?: AccountUsage }

export async function overviewOf(db: Reader, membership: Membership, now: Instant): Promise<OrganizationOverview> {
  const { org, role } = membership
  const memberCount = await countMembers(db, org.id)
  if (!hasRole(role, 'admin')) return { membership, memberCount }
  return { membership, memberCount, usage: await describeUsage(db, org, now) }
}
