// Who is a member of which organization, in which role.
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import type { Membership } from '../../domain/organizations/organization.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, IN_BYTE_ORDER, sql } from '../engine/sql.ts'
import { type OrganizationRow, toOrganization } from './organizations.ts'

const COLUMNS = fragment(`o.id, o.nickname, o.plan, o.created_at, m.user_id, m.role, m.muted_until, m.joined_at`)
// A closed organization has no members.
const JOINED = fragment(`memberships m join users o on o.id = m.org_id and o.kind = 'organization'`)

export type NewMembership = { orgId: OrgId; userId: UserId; role: OrgRole; joinedAt: Instant }

export async function insertMembership(tx: Writer, { orgId, userId, role, joinedAt }: NewMembership): Promise<void> {
  tx.queue(sql`insert into memberships (org_id, user_id, role, joined_at)
    values (${orgId}, ${userId}, ${role}, ${joinedAt})`)
}

export async function findMembership(db: Reader, orgId: OrgId, userId: UserId): Promise<Membership | undefined> {
  const row = await db.first<MembershipRow>(
    sql`select ${COLUMNS} from ${JOINED} where m.org_id = ${orgId} and m.user_id = ${userId}`,
  )
  return row && toMembership(row)
}

// By the names of the organizations.
export async function listMemberships(db: Reader, userId: UserId): Promise<Membership[]> {
  const rows = await db.all<MembershipRow>(
    sql`select ${COLUMNS} from ${JOINED} where m.user_id = ${userId} order by o.nickname ${IN_BYTE_ORDER}, o.id`,
  )
  return rows.map(toMembership)
}

export async function countMemberships(db: Reader, userId: UserId): Promise<number> {
  const row = await db.first<{ count: number }>(
    sql`select count(*) as count from ${JOINED} where m.user_id = ${userId}`,
  )
  return row?.count ?? 0
}

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

type MembershipRow = OrganizationRow & {
  user_id: UserId
  role: OrgRole
  muted_until: number | null
  joined_at: number
}

const toMembership = (row: MembershipRow): Membership => ({
  org: toOrganization(row),
  userId: row.user_id,
  role: row.role,
  mutedUntil: instantOrNull(row.muted_until),
  joinedAt: instant(row.joined_at),
})
