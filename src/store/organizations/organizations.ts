// Organizations: rows of `users` of their own kind. The name is in `nickname`; `name`, which is unique, is the id.
import type { OrgId } from '../../domain/ids.ts'
import type { Organization } from '../../domain/organizations/organization.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

export async function insertOrganization(tx: Writer, { id, name, plan, createdAt }: Organization): Promise<void> {
  tx.queue(sql`insert into users (id, kind, name, nickname, plan, created_at)
    values (${id}, 'organization', ${id}, ${name}, ${plan}, ${createdAt})`)
}

const ROWS = rowsOf<Organization>('users', { id: 'id', name: 'nickname', plan: 'plan', createdAt: 'created_at' })

export const findOrganization = (db: Reader, id: OrgId): Promise<Organization | undefined> =>
  ROWS.first(db, sql`where id = ${id} and kind = 'organization'`)

// In the order in which they were made.
export const listOrganizations = (db: Reader): Promise<Organization[]> =>
  ROWS.all(db, sql`where kind = 'organization' order by created_at, id`)

export async function updateOrganizationName(tx: Writer, id: OrgId, name: string): Promise<void> {
  tx.queue(sql`update users set nickname = ${name} where id = ${id}`)
}

// From here on nobody is a member, although the rows of the members are still there. The name is kept for the entries.
export async function updateToClosed(tx: Writer, id: OrgId): Promise<void> {
  tx.queue(sql`update users set kind = 'closed-organization' where id = ${id}`)
  tx.queue(sql`insert into former_organizations (id, name) select id, nickname from users where id = ${id}
    on conflict (id) do nothing`)
}
