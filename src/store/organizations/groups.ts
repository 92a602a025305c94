// Groups of an organization, and who is in them.
import type { UserId } from '../../domain/caller.ts'
import { instant } from '../../domain/instant.ts'
import type { GroupId, OrgId } from '../../domain/organizations/ids.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { eachText, fragment, IN_BYTE_ORDER, list, sql } from '../engine/sql.ts'

const COLUMNS = fragment('id, org_id, name, created_at')

// Returns false if the name is taken.
export async function insertGroup(tx: Writer, { id, orgId, name, createdAt }: Group): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into org_groups (id, org_id, name, created_at)
    values (${id}, ${orgId}, ${name}, ${createdAt}) on conflict (org_id, name) do nothing`)
  return inserted === 1
}

export async function findGroup(db: Reader, orgId: OrgId, id: GroupId): Promise<Group | undefined> {
  const row = await db.first<GroupRow>(sql`select ${COLUMNS} from org_groups where org_id = ${orgId} and id = ${id}`)
  return row && toGroup(row)
}

export async function findGroupByName(db: Reader, orgId: OrgId, name: string): Promise<Group | undefined> {
  const row = await db.first<GroupRow>(
    sql`select ${COLUMNS} from org_groups where org_id = ${orgId} and name = ${name}`,
  )
  return row && toGroup(row)
}

// By name.
export async function listGroups(db: Reader, orgId: OrgId): Promise<Group[]> {
  const rows = await db.all<GroupRow>(
    sql`select ${COLUMNS} from org_groups where org_id = ${orgId} order by name ${IN_BYTE_ORDER}`,
  )
  return rows.map(toGroup)
}

export async function countGroups(db: Reader, orgId: OrgId): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from org_groups where org_id = ${orgId}`)
  return row?.count ?? 0
}

export async function updateGroupName(tx: Writer, { orgId, id, name }: Group): Promise<void> {
  tx.queue(sql`update org_groups set name = ${name} where org_id = ${orgId} and id = ${id}`)
}

export async function deleteGroup(tx: Writer, { orgId, id }: Group): Promise<void> {
  tx.queue(sql`delete from org_groups where org_id = ${orgId} and id = ${id}`)
}

export async function countGroupMembers(db: Reader, groupIds: GroupId[]): Promise<Map<GroupId, number>> {
  const rows = await db.all<{ group_id: GroupId; count: number }>(sql`select group_id, count(*) as count
    from group_members where group_id in (${list(groupIds)}) group by group_id`)
  return new Map(rows.map(({ group_id, count }) => [group_id, count]))
}

export async function listGroupMemberIds(db: Reader, groupId: GroupId): Promise<UserId[]> {
  const rows = await db.all<{ user_id: UserId }>(
    sql`select user_id from group_members where group_id = ${groupId} order by user_id`,
  )
  return rows.map(({ user_id }) => user_id)
}

// Returns those who were not in the group. All must be members of the organization.
export async function insertGroupMembers(tx: Writer, { id, orgId }: Group, userIds: string[]): Promise<UserId[]> {
  const rows = await tx.all<{ user_id: UserId }>(sql`insert into group_members (group_id, org_id, user_id)
    select ${id}, ${orgId}, value from ${eachText(JSON.stringify(userIds))} where true
    on conflict (group_id, user_id) do nothing returning user_id`)
  return rows.map(({ user_id }) => user_id)
}

// Returns those who were in the group.
export async function deleteGroupMembersExcept(tx: Writer, { id }: Group, userIds: string[]): Promise<UserId[]> {
  const rows = await tx.all<{ user_id: UserId }>(sql`delete from group_members
    where group_id = ${id} and user_id not in (select value from ${eachText(JSON.stringify(userIds))})
    returning user_id`)
  return rows.map(({ user_id }) => user_id)
}

// Returns false if the person was not in the group.
export async function deleteGroupMember(tx: Writer, { id }: Group, userId: UserId): Promise<boolean> {
  return (await tx.execute(sql`delete from group_members where group_id = ${id} and user_id = ${userId}`)) === 1
}

// Those of the ids that are members of the organization, with their groups.
export async function listGroupsOfMembers(
  db: Reader,
  orgId: OrgId,
  userIds: string[],
): Promise<{ userId: UserId; groupIds: GroupId[] }[]> {
  const rows = await db.all<{ user_id: UserId; group_id: GroupId | null }>(sql`select m.user_id, g.group_id
    from memberships m left join group_members g on g.org_id = m.org_id and g.user_id = m.user_id
    where m.org_id = ${orgId} and m.user_id in (select value from ${eachText(JSON.stringify(userIds))})`)
  return [...Map.groupBy(rows, ({ user_id }) => user_id)].map(([userId, some]) => ({
    userId,
    groupIds: some.flatMap(({ group_id }) => group_id ?? []),
  }))
}

// Those of the ids that are not members of the organization.
export async function listNonMembers(db: Reader, orgId: OrgId, userIds: string[]): Promise<Set<string>> {
  const rows = await db.all<{ value: string }>(sql`select value from ${eachText(JSON.stringify(userIds))}
    where not exists (select 1 from memberships m where m.org_id = ${orgId} and m.user_id = value)`)
  return new Set(rows.map(({ value }) => value))
}

type GroupRow = { id: GroupId; org_id: OrgId; name: string; created_at: number }

const toGroup = ({ id, org_id, name, created_at }: GroupRow): Group => ({
  id,
  orgId: org_id,
  name,
  createdAt: instant(created_at),
})
