// Invitations of an organization. The code is stored as it is, because owners and admins may read it while it is open.
import type { UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { JoinCode } from '../../domain/join-code.ts'
import type { Invitation, InvitationId } from '../../domain/organizations/invitation.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, list, sql } from '../engine/sql.ts'

const COLUMNS = fragment('id, org_id, code, role, max_uses, use_count, group_ids, expires_at, created_at, created_by')

export async function insertInvitation(tx: Writer, one: Invitation): Promise<void> {
  tx.queue(sql`insert into org_invitations
      (id, org_id, code, role, max_uses, use_count, group_ids, expires_at, created_at, created_by)
    values (${one.id}, ${one.orgId}, ${one.code}, ${one.role}, ${one.maxUses}, ${one.useCount},
      ${JSON.stringify(one.groupIds)}, ${one.expiresAt}, ${one.createdAt}, ${one.createdBy})`)
}

export async function findInvitationByCode(db: Reader, code: JoinCode): Promise<Invitation | undefined> {
  const row = await db.first<InvitationRow>(sql`select ${COLUMNS} from org_invitations where code = ${code}`)
  return row && toInvitation(row)
}

// Newest first.
export async function listOpenInvitations(db: Reader, orgId: OrgId, now: Instant): Promise<Invitation[]> {
  const rows = await db.all<InvitationRow>(sql`select ${COLUMNS} from org_invitations
    where org_id = ${orgId} and use_count < max_uses and expires_at > ${now} order by created_at desc, id desc`)
  return rows.map(toInvitation)
}

export async function countOpenInvitations(db: Reader, orgId: OrgId, now: Instant): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from org_invitations
    where org_id = ${orgId} and use_count < max_uses and expires_at > ${now}`)
  return row?.count ?? 0
}

// Returns false if it is used up, or was deleted a moment ago.
export async function takeInvitationUse(tx: Writer, id: InvitationId): Promise<boolean> {
  const changed = await tx.execute(
    sql`update org_invitations set use_count = use_count + 1 where id = ${id} and use_count < max_uses`,
  )
  return changed === 1
}

// Returns false if there is no such invitation.
export async function deleteInvitation(tx: Writer, orgId: OrgId, id: InvitationId): Promise<boolean> {
  return (await tx.execute(sql`delete from org_invitations where org_id = ${orgId} and id = ${id}`)) === 1
}

// Returns their ids.
export async function deleteInvitationsMadeBy(tx: Writer, orgId: OrgId, userId: UserId): Promise<InvitationId[]> {
  const rows = await tx.all<{ id: InvitationId }>(
    sql`delete from org_invitations where org_id = ${orgId} and created_by = ${userId} returning id`,
  )
  return rows.map(({ id }) => id)
}

// From then on the person cannot join by the invitations of these roles that are open now. The caller holds the lock on the
// organization, so none is made meanwhile.
export async function barFromInvitations(
  tx: Writer,
  orgId: OrgId,
  userId: UserId,
  { roles, now }: { roles: readonly Invitation['role'][]; now: Instant },
): Promise<void> {
  await tx.execute(sql`insert into invitation_bars (invitation_id, user_id)
    select id, ${userId} from org_invitations
    where org_id = ${orgId} and role in (${list(roles)}) and use_count < max_uses and expires_at > ${now}
    on conflict (invitation_id, user_id) do nothing`)
}

export async function isBarredFrom(db: Reader, id: InvitationId, userId: UserId): Promise<boolean> {
  const row = await db.first<{ barred: number }>(
    sql`select 1 as barred from invitation_bars where invitation_id = ${id} and user_id = ${userId}`,
  )
  return row !== undefined
}

export async function deleteInvitationsOf(tx: Writer, orgId: OrgId): Promise<void> {
  tx.queue(sql`delete from org_invitations where org_id = ${orgId}`)
}

export async function deleteInvitationsExpiredBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from org_invitations where id in
    (select id from org_invitations where expires_at < ${at} order by expires_at limit ${limit})`)
}

type InvitationRow = {
  id: InvitationId
  org_id: OrgId
  code: JoinCode
  role: Invitation['role']
  max_uses: number
  use_count: number
  group_ids: string
  expires_at: number
  created_at: number
  created_by: UserId | null
}

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  orgId: row.org_id,
  code: row.code,
  role: row.role,
  maxUses: row.max_uses,
  useCount: row.use_count,
  groupIds: JSON.parse(row.group_ids),
  expiresAt: instant(row.expires_at),
  createdAt: instant(row.created_at),
  createdBy: row.created_by,
})
