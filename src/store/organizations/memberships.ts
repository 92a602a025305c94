// Who is a member of which organization, in which role.
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Membership, Organization } from '../../domain/organizations/organization.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { nested, rowsOf } from '../engine/rows.ts'
import { IN_BYTE_ORDER, sql } from '../engine/sql.ts'

// A closed organization has no members.
const ROWS = rowsOf<Membership>(`memberships m join users o on o.id = m.org_id and o.kind = 'organization'`, {
  org: nested<Organization>({ id: 'o.id', name: 'o.nickname', plan: 'o.plan', createdAt: 'o.created_at' }),
  userId: 'm.user_id',
  role: 'm.role',
  mutedUntil: 'm.muted_until',
  joinedAt: 'm.joined_at',
})

export type NewMembership = { orgId: OrgId; userId: UserId; role: OrgRole; joinedAt: Instant }

export async function insertMembership(tx: Writer, { orgId, userId, role, joinedAt }: NewMembership): Promise<void> {
  tx.queue(sql`insert into memberships (org_id, user_id, role, joined_at)
    values (${orgId}, ${userId}, ${role}, ${joinedAt})`)
}

export const findMembership = (db: Reader, orgId: OrgId, userId: UserId): Promise<Membership | undefined> =>
  ROWS.first(db, sql`where m.org_id = ${orgId} and m.user_id = ${userId}`)

// By the names of the organizations.
export const listMemberships = (db: Reader, userId: UserId): Promise<Membership[]> =>
  ROWS.all(db, sql`where m.user_id = ${userId} order by o.nickname ${IN_BYTE_ORDER}, o.id`)

export const countMemberships = (db: Reader, userId: UserId): Promise<number> =>
  ROWS.count(db, sql`where m.user_id = ${userId}`)

export async function countMembers(db: Reader, orgId: OrgId): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from memberships where org_id = ${orgId}`)
  return row?.count ?? 0
}

export async function countOwners(db: Reader, orgId: OrgId): Promise<number> {
  const row = await db.first<{ count: number }>(
    sql`select count(*) as count from memberships where org_id = ${orgId} and role = 'owner'`,
  )
  return row?.count ?? 0
}

export async function updateRole(tx: Writer, orgId: OrgId, userId: UserId, role: OrgRole): Promise<void> {
  tx.queue(sql`update memberships set role = ${role} where org_id = ${orgId} and user_id = ${userId}`)
}

export async function updateMute(tx: Writer, orgId: OrgId, userId: UserId, until: Instant | null): Promise<void> {
  tx.queue(sql`update memberships set muted_until = ${until} where org_id = ${orgId} and user_id = ${userId}`)
}

// The memberships in groups are deleted by cascade.
export async function deleteMembership(tx: Writer, orgId: OrgId, userId: UserId): Promise<void> {
  tx.queue(sql`delete from memberships where org_id = ${orgId} and user_id = ${userId}`)
}

// The next members in the order of their user ids, also of a closed organization.
export async function listMemberIdsAfter(
  db: Reader,
  orgId: OrgId,
  after: UserId | undefined,
  limit: number,
): Promise<UserId[]> {
  const rows = await db.all<{ user_id: UserId }>(sql`select user_id from memberships
    where org_id = ${orgId} and user_id > ${after ?? ''} order by user_id limit ${limit}`)
  return rows.map(({ user_id }) => user_id)
}
