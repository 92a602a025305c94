// Organizations, their members, invitations, groups and tags.
import { LIMITS } from '../../contract/limits.ts'
import type { INVITED_ROLES } from '../../contract/organizations/invitation.ts'
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { PlanName } from '../../contract/plans.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { UserId } from '../caller.ts'
import type { GroupId, GroupSetId, OrgId, TagId } from '../ids.ts'
import { fromRfc3339, type Instant, plusSeconds } from '../instant.ts'
import type { JoinCodeTerms } from '../join-code.ts'

export type Organization = { id: OrgId; name: string; plan: PlanName; createdAt: Instant }

export type Membership = {
  org: Organization
  userId: UserId
  role: OrgRole
  mutedUntil: Instant | null
  joinedAt: Instant
}

// A member as the others see it.
export type Member = Omit<Membership, 'org'> & { nickname: string | null; groupIds: GroupId[]; isReachable: boolean }

// A code by which others join. A group that was deleted since is left out.
export type Invitation = JoinCodeTerms & {
  orgId: OrgId
  createdBy: UserId
  role: (typeof INVITED_ROLES)[number]
  groupIds: GroupId[]
}

// `setId`: the set of its members, which is replaced as a whole.
export type Group = { id: GroupId; orgId: OrgId; setId: GroupSetId; name: string; createdAt: Instant }
export type Tag = { id: TagId; orgId: OrgId; name: string; createdAt: Instant }

// Until when a member gets no pushes of an organization.
const MOST_SECONDS = LIMITS.organization.maxMuteDays * 86_400

export function readMute(until: string | null, now: Instant): Instant | null {
  if (until === null) return null
  const at = fromRfc3339(until)
  if (at > now && at <= plusSeconds(now, MOST_SECONDS)) return at
  const message = `must lie in the future, at most ${LIMITS.organization.maxMuteDays} days ahead`
  throw validationProblem([{ location: 'body.muted_until', message, value: until }])
}
