// Members, groups and tags of an organization by the ids in a path; a problem if there is none.
import { Problem } from '../../contract/problems.ts'
import { isGroupId, isTagId, isUserId, type OrgId } from '../../domain/ids.ts'
import type { Group, Member, Tag } from '../../domain/organizations/organization.ts'
import type { Reader } from '../../store/engine/database.ts'
import { findGroup } from '../../store/organizations/groups.ts'
import { findMember } from '../../store/organizations/members.ts'
import { findTag } from '../../store/organizations/tags.ts'

export async function requireMember(db: Reader, orgId: OrgId, userId: string): Promise<Member> {
  const member = isUserId(userId) ? await findMember(db, orgId, userId) : undefined
  if (!member) throw new Problem('org_member.not_found', `There is no member ${userId}.`)
  return member
}

export async function requireGroup(db: Reader, orgId: OrgId, groupId: string): Promise<Group> {
  const group = isGroupId(groupId) ? await findGroup(db, orgId, groupId) : undefined
  if (!group) throw new Problem('org_group.not_found', `There is no group ${groupId}.`)
  return group
}

export async function requireTag(db: Reader, orgId: OrgId, tagId: string): Promise<Tag> {
  const tag = isTagId(tagId) ? await findTag(db, orgId, tagId) : undefined
  if (!tag) throw new Problem('org_tag.not_found', `There is no tag ${tagId}.`)
  return tag
}
