// Invitations: what is made of a request, and who may still join by one.
import { LIMITS } from '../../contract/limits.ts'
import type { INVITED_ROLES, InvitationInput } from '../../contract/organizations/invitation.ts'
import { Problem } from '../../contract/problems.ts'
import type { UserId } from '../caller.ts'
import { type GroupId, isUuid, type OrgId } from '../ids.ts'
import { type Instant, plusSeconds } from '../instant.ts'
import type { JoinCode } from '../join-code.ts'

export type InvitationId = string & { readonly of: 'invitation' }

export const isInvitationId = (text: string): text is InvitationId => isUuid(text)

export type Invitation = {
  id: InvitationId
  orgId: OrgId
  code: JoinCode
  role: (typeof INVITED_ROLES)[number]
  maxUses: number
  useCount: number
  groupIds: GroupId[]
  expiresAt: Instant
  createdAt: Instant
  // Null if an older version made it.
  createdBy: UserId | null
}

export type InvitationTerms = Pick<Invitation, 'role' | 'maxUses' | 'groupIds' | 'expiresAt'>

// The group ids are checked against the groups of the organization later.
export function invitationTerms(input: InvitationInput, now: Instant): InvitationTerms {
  const { uses, codeSeconds } = LIMITS.share
  return {
    role: input.role ?? 'member',
    maxUses: input.max_uses ?? uses.default,
    groupIds: [...new Set(input.group_ids)] as GroupId[],
    expiresAt: plusSeconds(now, input.expires_in ?? codeSeconds.default),
  }
}

export const isExpired = ({ expiresAt }: Invitation, now: Instant): boolean => expiresAt <= now

// The same words for every reason, so that a guess says nothing about codes that once existed.
export const codeInvalid = () =>
  new Problem('org.code_invalid', 'This invitation is unknown, used up, expired or deleted; ask for a new one.')
