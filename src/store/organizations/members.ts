// The members of an organization as the others see them: with nickname, groups and whether a push reaches them.
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { UserId } from '../../domain/caller.ts'
import type { UuidPlace } from '../../domain/cursor.ts'
import type { GroupId, GroupSetId, OrgId } from '../../domain/ids.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import type { Member } from '../../domain/organizations/organization.ts'
import { FOR_NOTIFICATIONS } from '../devices/push-tokens.ts'
import type { Reader } from '../engine/database.ts'
import { fragment, list, sql } from '../engine/sql.ts'

const COLUMNS = sql`m.user_id, m.role, m.muted_until, m.joined_at, p.nickname,
  (case when exists (select 1 from push_tokens t where t.user_id = m.user_id and t.kind in ${FOR_NOTIFICATIONS})
    then 1 else 0 end) as reachable`
const JOINED = fragment('memberships m join users p on p.id = m.user_id')

export async function findMember(db: Reader, orgId: OrgId, userId: UserId): Promise<Member | undefined> {
  const row = await db.first<MemberRow>(
    sql`select ${COLUMNS} from ${JOINED} where m.org_id = ${orgId} and m.user_id = ${userId}`,
  )
  return row && (await withGroups(db, orgId, [row]))[0]
}

export type MemberFilter = { after?: UuidPlace | undefined; setId?: GroupSetId | undefined }

// In the order in which they joined. `setId`: only members of this set of a group.
// The page is chosen before anything is joined to it: otherwise PostgreSQL joins all members of a large group, and
// then sorts them. It also knows how many members a set has, but not how many the view of a group has.
export async function listMembers(
  db: Reader,
  orgId: OrgId,
  { after, setId }: MemberFilter,
  limit: number,
): Promise<Member[]> {
  const inSet =
    setId === undefined
      ? sql``
      : sql`and exists (select 1 from group_set_members s where s.set_id = ${setId} and s.user_id = c.user_id)`
  const page = sql`select c.user_id, c.role, c.muted_until, c.joined_at from memberships c
    where c.org_id = ${orgId} and (c.joined_at, c.user_id) > (${after?.at ?? 0}, ${after?.id ?? ''}) ${inSet}
    order by c.joined_at, c.user_id limit ${limit}`
  const rows = await db.all<MemberRow>(sql`select ${COLUMNS} from (${page}) m join users p on p.id = m.user_id
    order by m.joined_at, m.user_id`)
  return withGroups(db, orgId, rows)
}

// A member as the operator sees it.
export type AccountMember = { userId: UserId; name: string; role: OrgRole; joinedAt: Instant }

export async function listAccountMembers(db: Reader, orgId: OrgId): Promise<AccountMember[]> {
  const rows = await db.all<
    MemberRow & { name: string }
  >(sql`select m.user_id, p.name, m.role, m.joined_at from ${JOINED}
    where m.org_id = ${orgId} order by m.joined_at, m.user_id`)
  return rows.map((row) => ({ userId: row.user_id, name: row.name, role: row.role, joinedAt: instant(row.joined_at) }))
}

async function withGroups(db: Reader, orgId: OrgId, rows: MemberRow[]): Promise<Member[]> {
  if (rows.length === 0) return []
  const memberships = await db.all<{ user_id: UserId; group_id: GroupId }>(sql`select user_id, group_id
    from group_members where org_id = ${orgId} and user_id in (${list(rows.map((row) => row.user_id))})
    order by group_id`)
  const byMember = Map.groupBy(memberships, (row) => row.user_id)
  return rows.map((row) => toMember(row, byMember.get(row.user_id)?.map((group) => group.group_id) ?? []))
}

type MemberRow = {
  user_id: UserId
  role: OrgRole
  muted_until: number | null
  joined_at: number
  nickname: string | null
  reachable: number
}

const toMember = (row: MemberRow, groupIds: GroupId[]): Member => ({
  userId: row.user_id,
  nickname: row.nickname,
  role: row.role,
  mutedUntil: instantOrNull(row.muted_until),
  joinedAt: instant(row.joined_at),
  groupIds,
  isReachable: row.reachable === 1,
})
