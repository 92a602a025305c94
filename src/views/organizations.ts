// Organizations, members, groups, tags and invitations as clients see them.
import type { GroupView, TagView } from '../contract/organizations/group.ts'
import type { InvitationView } from '../contract/organizations/invitation.ts'
import type { MemberView, OrganizationView } from '../contract/organizations/organization.ts'
import type { AccountUsage } from '../domain/accounts/account.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'
import type { Group, Invitation, Member, Membership, Tag } from '../domain/organizations/organization.ts'
import { hasRole } from '../domain/organizations/roles.ts'
import { usageView } from './accounts.ts'

type Overview = { membership: Membership; memberCount: number; usage?: AccountUsage }

export const organizationView = ({ membership: { org, role }, memberCount, usage }: Overview): OrganizationView => ({
  id: org.id,
  name: org.name,
  plan: org.plan,
  role,
  member_count: memberCount,
  created_at: toRfc3339(org.createdAt),
  ...(usage && usageView(usage)),
})

// Mutes are seen by the member, owners and admins. One that has ended is not shown.
export function memberView({ member, viewer, now }: { member: Member; viewer: Membership; now: Instant }): MemberView {
  const seesMute = member.userId === viewer.userId || hasRole(viewer.role, 'admin')
  const mutedUntil = seesMute && member.mutedUntil !== null && member.mutedUntil > now ? member.mutedUntil : undefined
  return {
    user_id: member.userId,
    nickname: member.nickname ?? undefined,
    role: member.role,
    joined_at: toRfc3339(member.joinedAt),
    group_ids: member.groupIds,
    reachable: member.isReachable,
    muted_until: mutedUntil && toRfc3339(mutedUntil),
  }
}

export const groupView = ({ group, memberCount }: { group: Group; memberCount: number }): GroupView => ({
  id: group.id,
  name: group.name,
  member_count: memberCount,
  created_at: toRfc3339(group.createdAt),
})

export const tagView = ({ tag, deviceCount }: { tag: Tag; deviceCount: number }): TagView => ({
  id: tag.id,
  name: tag.name,
  device_count: deviceCount,
  created_at: toRfc3339(tag.createdAt),
})

// The code is in the fragment, so that it reaches no log of a server.
export const invitationView = (invitation: Invitation, publicUrl: string): InvitationView => ({
  id: invitation.id,
  code: invitation.code,
  join_url: `${publicUrl}/app/#org=${invitation.code}`,
  role: invitation.role,
  max_uses: invitation.maxUses,
  use_count: invitation.useCount,
  expires_at: toRfc3339(invitation.expiresAt),
  created_at: toRfc3339(invitation.createdAt),
  group_ids: invitation.groupIds.length > 0 ? invitation.groupIds : undefined,
})
