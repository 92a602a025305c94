// Groups of an organization. Who is in them is in group-members.ts.

import type { GroupId, GroupSetId, OrgId } from '../../domain/ids.ts'
import { instant } from '../../domain/instant.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, IN_BYTE_ORDER, list, sql } from '../engine/sql.ts'

const COLUMNS = fragment('id, org_id, set_id, name, created_at')

// Returns false if the name is taken.
export async function insertGroup(tx: Writer, { id, orgId, setId, name, createdAt }: Group): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into org_groups (id, org_id, set_id, name, created_at)
    values (${id}, ${orgId}, ${setId}, ${name}, ${createdAt}) on conflict (org_id, name) do nothing`)
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

export async function updateGroupSet(tx: Writer, { orgId, id }: Group, setId: GroupSetId): Promise<void> {
  tx.queue(sql`update org_groups set set_id = ${setId} where org_id = ${orgId} and id = ${id}`)
}

// Its members are not deleted: nobody is in them any more, and there may be many.
export async function deleteGroup(tx: Writer, { orgId, id }: Group): Promise<void> {
  tx.queue(sql`delete from org_groups where org_id = ${orgId} and id = ${id}`)
}

export async function countGroupMembers(db: Reader, groupIds: GroupId[]): Promise<Map<GroupId, number>> {
  const rows = await db.all<{ group_id: GroupId; count: number }>(sql`select group_id, count(*) as count
    from group_members where group_id in (${list(groupIds)}) group by group_id`)
  return new Map(rows.map(({ group_id, count }) => [group_id, count]))
}

type GroupRow = { id: GroupId; org_id: OrgId; set_id: GroupSetId; name: string; created_at: number }

const toGroup = ({ id, org_id, set_id, name, created_at }: GroupRow): Group => ({
  id,
  orgId: org_id,
  setId: set_id,
  name,
  createdAt: instant(created_at),
})
