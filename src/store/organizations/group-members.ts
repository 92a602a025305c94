// Who is in the groups of an organization. A group names its current set; the rows of other sets are invisible.
import type { UserId } from '../../domain/caller.ts'
import type { GroupId, GroupSetId, OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { eachText, sql } from '../engine/sql.ts'

export type GroupSet = { id: GroupSetId; orgId: OrgId; createdAt: Instant }

export async function insertGroupSet(tx: Writer, { id, orgId, createdAt }: GroupSet): Promise<void> {
  tx.queue(sql`insert into group_sets (id, org_id, created_at) values (${id}, ${orgId}, ${createdAt})`)
}

// Returns those who were not in the set. People who are no members of the organization are left out.
export async function insertSetMembers(
  tx: Writer,
  { orgId, setId }: Pick<Group, 'orgId' | 'setId'>,
  userIds: string[],
): Promise<UserId[]> {
  const rows = await tx.all<{ user_id: UserId }>(sql`insert into group_set_members (set_id, org_id, user_id)
    select ${setId}, m.org_id, m.user_id from memberships m
    where m.org_id = ${orgId} and m.user_id in (select value from ${eachText(JSON.stringify(userIds))})
    on conflict (set_id, user_id) do nothing returning user_id`)
  return rows.map(({ user_id }) => user_id)
}

// Returns false if the person was not in the set.
export async function deleteSetMember(tx: Writer, setId: GroupSetId, userId: UserId): Promise<boolean> {
  return (await tx.execute(sql`delete from group_set_members where set_id = ${setId} and user_id = ${userId}`)) === 1
}

// Deletes one batch, and the set with the last one. Returns whether there may be more.
export async function deleteSetMembers(tx: Writer, setId: GroupSetId, limit: number): Promise<boolean> {
  const deleted = await tx.execute(sql`delete from group_set_members where set_id = ${setId} and user_id in
    (select user_id from group_set_members where set_id = ${setId} limit ${limit})`)
  if (deleted === limit) return true
  tx.queue(sql`delete from group_sets where id = ${setId}`)
  return false
}

// At most `limit` members, in the order of their user ids.
export async function listSetMemberIds(db: Reader, setId: GroupSetId, limit: number): Promise<UserId[]> {
  const rows = await db.all<{ user_id: UserId }>(
    sql`select user_id from group_set_members where set_id = ${setId} order by user_id limit ${limit}`,
  )
  return rows.map(({ user_id }) => user_id)
}

// A set that no group has, and that no request is still filling.
export async function findUnusedSet(db: Reader, createdBefore: Instant): Promise<GroupSetId | undefined> {
  const row = await db.first<{ id: GroupSetId }>(sql`select id from group_sets s where created_at < ${createdBefore}
    and not exists (select 1 from org_groups g where g.set_id = s.id) order by created_at limit 1`)
  return row?.id
}

// Those of the ids that are not members of the organization.
export async function listNonMembers(db: Reader, orgId: OrgId, userIds: string[]): Promise<Set<string>> {
  const rows = await db.all<{ value: string }>(sql`select value from ${eachText(JSON.stringify(userIds))}
    where not exists (select 1 from memberships m where m.org_id = ${orgId} and m.user_id = value)`)
  return new Set(rows.map(({ value }) => value))
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
