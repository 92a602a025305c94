// Organizations: rows of `users` of their own kind. The name is in `nickname`; `name`, which is unique, is the id.
import type { Plan } from '../../contract/limits.ts'
import type { OrgId } from '../../domain/ids.ts'
import { instant } from '../../domain/instant.ts'
import type { Organization } from '../../domain/organizations/organization.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

export async function insertOrganization(tx: Writer, { id, name, plan, createdAt }: Organization): Promise<void> {
  tx.queue(sql`insert into users (id, kind, name, nickname, plan, created_at)
    values (${id}, 'organization', ${id}, ${name}, ${plan}, ${createdAt})`)
}

const COLUMNS = fragment('id, nickname, plan, created_at')

export async function findOrganization(db: Reader, id: OrgId): Promise<Organization | undefined> {
  const row = await db.first<OrganizationRow>(
    sql`select ${COLUMNS} from users where id = ${id} and kind = 'organization'`,
  )
  return row && toOrganization(row)
}

// In the order in which they were made.
export async function listOrganizations(db: Reader): Promise<Organization[]> {
  const rows = await db.all<OrganizationRow>(
    sql`select ${COLUMNS} from users where kind = 'organization' order by created_at, id`,
  )
  return rows.map(toOrganization)
}

export async function updateOrganizationName(tx: Writer, id: OrgId, name: string): Promise<void> {
  tx.queue(sql`update users set nickname = ${name} where id = ${id}`)
}

// From here on nobody is a member, although the rows of the members are still there. The name is kept for the entries.
export async function updateToClosed(tx: Writer, id: OrgId): Promise<void> {
  tx.queue(sql`update users set kind = 'closed-organization' where id = ${id}`)
  tx.queue(sql`insert into former_organizations (id, name) select id, nickname from users where id = ${id}
    on conflict (id) do nothing`)
}

export type OrganizationRow = { id: OrgId; nickname: string; plan: Plan; created_at: number }

export const toOrganization = ({ id, nickname, plan, created_at }: OrganizationRow): Organization => ({
  id,
  name: nickname,
  plan,
  createdAt: instant(created_at),
})
