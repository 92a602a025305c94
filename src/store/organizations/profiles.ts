// Members of an organization with what a target is compared with: their groups, and the tags of their devices.
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { GroupId, OrgId, TagId, TargetIds } from '../../domain/ids.ts'
import { instantOrNull } from '../../domain/instant.ts'
import type { MemberProfile } from '../../domain/organizations/activity-target.ts'
import type { Reader } from '../engine/database.ts'
import { eachText, type Sql, sql } from '../engine/sql.ts'

// Those of the accounts that are members, in no particular order.
export const listProfiles = (db: Reader, orgId: OrgId, userIds: readonly UserId[]): Promise<MemberProfile[]> =>
  loadProfiles(db, sql`m.org_id = ${orgId} and m.user_id in (select value from ${eachText(JSON.stringify(userIds))})`)

// In all organizations of the person.
export const listProfilesOf = (db: Reader, userId: UserId): Promise<MemberProfile[]> =>
  loadProfiles(db, sql`m.user_id = ${userId}`)

async function loadProfiles(db: Reader, condition: Sql): Promise<MemberProfile[]> {
  const members = await db.all<MemberRow>(sql`select m.org_id, m.user_id, m.role, m.muted_until, g.group_id
    from memberships m left join group_members g on g.org_id = m.org_id and g.user_id = m.user_id where ${condition}`)
  const devices = await db.all<DeviceRow>(sql`select m.org_id, m.user_id, d.id, o.id as tag_id
    from memberships m join devices d on d.user_id = m.user_id
      left join device_tags t on t.user_id = d.user_id and t.device_id = d.id
      left join org_tags o on o.org_id = m.org_id and o.name = t.tag
    where ${condition}`)
  const devicesOf = Map.groupBy(devices, membershipKey)
  return [...Map.groupBy(members, membershipKey)].flatMap(([key, rows]) => toProfile(rows, devicesOf.get(key) ?? []))
}

// The next members in the order of their ids that the target reaches.
export async function listReachedIdsAfter(
  db: Reader,
  orgId: OrgId,
  { groupIds, tagIds, memberIds }: TargetIds,
  after: UserId | undefined,
  limit: number,
): Promise<UserId[]> {
  // `in` rather than `exists`: a small group of a large organization is found by its own rows.
  const inGroups = groupIds
    ? sql`and m.user_id in (select user_id from group_members where group_id in (${entriesOf(groupIds)}))`
    : sql``
  const inMembers = memberIds ? sql`and m.user_id in (${entriesOf(memberIds)})` : sql``
  const onDevices = tagIds
    ? sql`and exists (select 1 from device_tags d join org_tags o on o.name = d.tag
        where d.user_id = m.user_id and o.org_id = m.org_id and o.id in (${entriesOf(tagIds)}))`
    : sql``
  const rows = await db.all<{ user_id: UserId }>(sql`select m.user_id from memberships m
    where m.org_id = ${orgId} and m.user_id > ${after ?? ''} ${inGroups} ${inMembers} ${onDevices}
    order by m.user_id limit ${limit}`)
  return rows.map(({ user_id }) => user_id)
}

const entriesOf = (ids: readonly string[]): Sql => sql`select value from ${eachText(JSON.stringify(ids))}`

// Members with a device that carries the tag, in the order of their ids.
export async function listTaggedMemberIds(db: Reader, orgId: OrgId, tag: string): Promise<UserId[]> {
  const rows = await db.all<{ user_id: UserId }>(sql`select m.user_id from memberships m
    where m.org_id = ${orgId} and exists (select 1 from device_tags d where d.user_id = m.user_id and d.tag = ${tag})
    order by m.user_id`)
  return rows.map(({ user_id }) => user_id)
}

type MembershipKey = { org_id: OrgId; user_id: UserId }
type MemberRow = MembershipKey & { role: OrgRole; muted_until: number | null; group_id: GroupId | null }
type DeviceRow = MembershipKey & { id: DeviceId; tag_id: TagId | null }

const membershipKey = ({ org_id, user_id }: MembershipKey): string => `${org_id} ${user_id}`

function toProfile(members: MemberRow[], devices: DeviceRow[]): MemberProfile[] {
  const [first] = members
  if (!first) return []
  return [
    {
      orgId: first.org_id,
      userId: first.user_id,
      role: first.role,
      mutedUntil: instantOrNull(first.muted_until),
      groupIds: members.flatMap(({ group_id }) => group_id ?? []),
      devices: [...Map.groupBy(devices, ({ id }) => id)].map(([id, rows]) => ({
        id,
        tagIds: rows.flatMap(({ tag_id }) => tag_id ?? []),
      })),
    },
  ]
}
