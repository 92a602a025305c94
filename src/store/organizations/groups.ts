// Groups of an organization. Who is in them is in group-members.ts.

import type { GroupId, GroupSetId, OrgId } from '../../domain/ids.ts'
import type { Group } from '../../domain/organizations/organization.ts'
import { BY_NAME, collection } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { list, sql } from '../engine/sql.ts'

const ROWS = rowsOf<Group>('org_groups', {
  id: 'id',
  orgId: 'org_id',
  setId: 'set_id',
  name: 'name',
  createdAt: 'created_at',
})

// Returns false if the name is taken.
export async function insertGroup(tx: Writer, { id, orgId, setId, name, createdAt }: Group): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into org_groups (id, org_id, set_id, name, created_at)
    values (${id}, ${orgId}, ${setId}, ${name}, ${createdAt}) on conflict (org_id, name) do nothing`)
  return inserted === 1
}

// The members of a group that is deleted are not: nobody is in them any more, and there may be many.
export const {
  find: findGroup,
  list: listGroups,
  count: countGroups,
  remove: deleteGroup,
} = collection<Group, GroupId>(ROWS, { name: 'id', account: 'org_id', order: BY_NAME })

export const findGroupByName = (db: Reader, orgId: OrgId, name: string): Promise<Group | undefined> =>
  ROWS.first(db, sql`where org_id = ${orgId} and name = ${name}`)

export async function updateGroupName(tx: Writer, { orgId, id, name }: Group): Promise<void> {
  tx.queue(sql`update org_groups set name = ${name} where org_id = ${orgId} and id = ${id}`)
}

export async function updateGroupSet(tx: Writer, { orgId, id }: Group, setId: GroupSetId): Promise<void> {
  tx.queue(sql`update org_groups set set_id = ${setId} where org_id = ${orgId} and id = ${id}`)
}

export async function countGroupMembers(db: Reader, groupIds: GroupId[]): Promise<Map<GroupId, number>> {
  const rows = await db.all<{ group_id: GroupId; count: number }>(sql`select group_id, count(*) as count
    from group_members where group_id in (${list(groupIds)}) group by group_id`)
  return new Map(rows.map(({ group_id, count }) => [group_id, count]))
}
