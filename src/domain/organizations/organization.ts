// Organizations, their members, groups and tags.
import type { Plan } from '../../contract/limits.ts'
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import type { GroupId, GroupSetId, OrgId, TagId } from './ids.ts'

export type Organization = { id: OrgId; name: string; plan: Plan; createdAt: Instant }

export type Membership = {
  org: Organization
  userId: UserId
  role: OrgRole
  mutedUntil: Instant | null
  joinedAt: Instant
}

// A member as the others see it.
export type Member = Omit<Membership, 'org'> & { nickname: string | null; groupIds: GroupId[]; isReachable: boolean }

// `setId`: the set of its members, which is replaced as a whole.
export type Group = { id: GroupId; orgId: OrgId; setId: GroupSetId; name: string; createdAt: Instant }
export type Tag = { id: TagId; orgId: OrgId; name: string; createdAt: Instant }
