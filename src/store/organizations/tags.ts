// The device tags that an organization uses. Which devices carry them, their owners say (device_tags).

import type { OrgId, TagId } from '../../domain/ids.ts'
import type { Tag } from '../../domain/organizations/organization.ts'
import { BY_NAME, collection } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { list, sql } from '../engine/sql.ts'

const ROWS = rowsOf<Tag>('org_tags', { id: 'id', orgId: 'org_id', name: 'name', createdAt: 'created_at' })

// Returns false if the name is taken.
export async function insertTag(tx: Writer, { id, orgId, name, createdAt }: Tag): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into org_tags (id, org_id, name, created_at)
    values (${id}, ${orgId}, ${name}, ${createdAt}) on conflict (org_id, name) do nothing`)
  return inserted === 1
}

export const {
  find: findTag,
  list: listTags,
  count: countTags,
  remove: deleteTag,
} = collection<Tag, TagId>(ROWS, { name: 'id', account: 'org_id', order: BY_NAME })

// By name of the tag. A tag that no device of a member carries is left out.
export async function countTaggedDevices(db: Reader, orgId: OrgId, names: string[]): Promise<Map<string, number>> {
  const rows = await db.all<{ tag: string; count: number }>(sql`select t.tag, count(*) as count
    from device_tags t join memberships m on m.org_id = ${orgId} and m.user_id = t.user_id
    where t.tag in (${list(names)}) group by t.tag`)
  return new Map(rows.map(({ tag, count }) => [tag, count]))
}
