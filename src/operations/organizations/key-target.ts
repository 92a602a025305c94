// Checks that the groups, tags and members of a key's limit exist.

import type { OrgId, TargetIds } from '../../domain/organizations/ids.ts'
import { requireKnownIds } from '../../domain/organizations/key-target.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listNonMembers } from '../../store/organizations/group-members.ts'
import { listGroups } from '../../store/organizations/groups.ts'
import { listTags } from '../../store/organizations/tags.ts'

export async function requireKnownTarget(db: Reader, orgId: OrgId, target: TargetIds): Promise<void> {
  const memberIds = target.memberIds ?? []
  const nonMembers = await listNonMembers(db, orgId, memberIds)
  requireKnownIds(target, {
    groupIds: new Set((await listGroups(db, orgId)).map(({ id }) => id)),
    tagIds: new Set((await listTags(db, orgId)).map(({ id }) => id)),
    memberIds: new Set(memberIds.filter((id) => !nonMembers.has(id))),
  })
}
