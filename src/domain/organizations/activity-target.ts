// The target of an activity of an organization: which members see it and on which devices.
import type { Target } from '../../contract/organizations/target.ts'
import type { DeviceId } from '../devices.ts'
import type { GroupId, OrgId, TargetIds } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { type Targeted, targeted } from './limit.ts'
import type { Group, Membership, Tag } from './organization.ts'
import { EVERYONE, reachedDevices, type TargetedMember } from './target.ts'

// The ids decide. The names are what clients see: in the order of the ids, null for everyone.
export type ActivityTarget = { ids: TargetIds; names: Target | null }

type Directory = { groups: Pick<Group, 'id' | 'name'>[]; tags: Pick<Tag, 'id' | 'name'>[] }

// `last`: the names as they were when the target was stored, for groups and tags that are deleted.
export function namedTarget(ids: TargetIds, { groups, tags }: Directory, last?: Target): ActivityTarget {
  const { groupIds, tagIds, memberIds } = ids
  const names: Target = {
    ...(groupIds && { groups: groupIds.map((id, index) => nameOf(groups, id) ?? last?.groups?.[index] ?? id) }),
    ...(tagIds && { tags: tagIds.map((id, index) => nameOf(tags, id) ?? last?.tags?.[index] ?? id) }),
    ...(memberIds && { members: memberIds }),
  }
  return { ids, names: Object.keys(names).length > 0 ? names : null }
}

// The limit of a key may have groups and tags that were deleted; nothing but their ids is left of them.
const nameOf = (named: { id: string; name: string }[], id: string): string | undefined =>
  named.find((one) => one.id === id)?.name

// Returns undefined if the target does not have the group.
export function withGroupName(target: ActivityTarget, groupId: GroupId, name: string): ActivityTarget | undefined {
  const index = target.ids.groupIds?.indexOf(groupId) ?? -1
  const groups = target.names?.groups
  return index === -1 || !groups
    ? undefined
    : { ...target, names: { ...target.names, groups: groups.with(index, name) } }
}

// Names are in the order of the ids, so they need not be compared.
export const isSameTarget = (one: ActivityTarget | null, other: ActivityTarget | null): boolean =>
  JSON.stringify(one?.ids) === JSON.stringify(other?.ids)

export const targetedActivity = <Row extends { target: ActivityTarget | null }>(activity: Row): Targeted<Row> =>
  targeted(activity, [activity.target?.ids ?? EVERYONE])

export type MemberProfile = TargetedMember & Pick<Membership, 'role' | 'mutedUntil'> & { orgId: OrgId }

// The devices that show the activity: none of a member who is muted. Undefined if the member does not see the activity.
export function showingDevices(target: TargetIds, member: MemberProfile, now: Instant): DeviceId[] | undefined {
  const devices = reachedDevices(target, member)
  const isMuted = member.mutedUntil !== null && member.mutedUntil > now
  return devices && isMuted ? [] : devices
}
