// Codes by which people join: share codes and invitations of an organization. They are stored readable, because those who
// gave them out see the open ones again.
import type { UserId } from '../domain/caller.ts'
import type { OrgId } from '../domain/ids.ts'
import type { Instant } from '../domain/instant.ts'
import type { JoinCode, JoinCodeId } from '../domain/join-code.ts'
import type { Invitation } from '../domain/organizations/organization.ts'
import type { ShareCode, SharedSubject } from '../domain/shares/share.ts'
import type { Reader, Writer } from './engine/database.ts'
import { type Rows, rowsOf, stored } from './engine/rows.ts'
import { fragment, list, type Sql, sql } from './engine/sql.ts'
import { subjectColumns, subjectIn } from './shares/shares.ts'

type Codes = { share: ShareCode; invitation: Invitation }
type Kind = keyof Codes

const TABLES = 'join_codes c left join activities a on a.id = c.activity_id'
const COMMON = {
  id: 'c.id',
  code: 'c.code',
  role: 'c.role',
  maxUses: 'c.max_uses',
  useCount: 'c.use_count',
  expiresAt: 'c.expires_at',
  createdAt: 'c.created_at',
}
const ROWS: { [K in Kind]: Rows<Codes[K]> } = {
  share: rowsOf<ShareCode>(TABLES, { ...COMMON, userId: 'c.user_id', subject: subjectIn('c') }),
  invitation: rowsOf<Invitation>(TABLES, {
    ...COMMON,
    orgId: 'c.user_id',
    createdBy: 'c.created_by',
    groupIds: stored('c.group_ids', (text: string | null) => JSON.parse(text ?? '[]')),
  }),
}

export async function insertShareCode(tx: Writer, code: ShareCode): Promise<void> {
  const { activityId, slugPrefix } = subjectColumns(code.subject)
  tx.queue(sql`insert into join_codes (kind, user_id, created_by, activity_id, slug_prefix, ${TERMS})
    values ('share', ${code.userId}, ${code.userId}, ${activityId}, ${slugPrefix}, ${termsOf(code)})`)
}

export async function insertInvitation(tx: Writer, code: Invitation): Promise<void> {
  tx.queue(sql`insert into join_codes (kind, user_id, created_by, group_ids, ${TERMS})
    values ('invitation', ${code.orgId}, ${code.createdBy}, ${JSON.stringify(code.groupIds)}, ${termsOf(code)})`)
}

const TERMS = fragment('id, code, role, max_uses, use_count, expires_at, created_at')

const termsOf = (code: Codes[Kind]) =>
  list([code.id, code.code, code.role, code.maxUses, code.useCount, code.expiresAt, code.createdAt])

export const findJoinCode = <K extends Kind>(db: Reader, kind: K, code: JoinCode): Promise<Codes[K] | undefined> =>
  ROWS[kind].first(db, sql`where c.code = ${code} and c.kind = ${kind}`)

const OPEN = (now: Instant) => sql`use_count < max_uses and expires_at > ${now}`

// Newest first. An account has codes of one kind only.
export const listOpenCodes = <K extends Kind>(db: Reader, kind: K, userId: UserId, now: Instant): Promise<Codes[K][]> =>
  ROWS[kind].all(
    db,
    sql`where c.user_id = ${userId} and c.kind = ${kind} and ${OPEN(now)} order by c.created_at desc, c.id desc`,
  )

export async function countOpenCodes(db: Reader, userId: UserId, now: Instant): Promise<number> {
  const row = await db.first<{ count: number }>(
    sql`select count(*) as count from join_codes where user_id = ${userId} and ${OPEN(now)}`,
  )
  return row?.count ?? 0
}

// Returns false if another account took the last use, or the code is gone.
export async function takeUse(tx: Writer, id: JoinCodeId, now: Instant): Promise<boolean> {
  const changed = await tx.execute(sql`update join_codes set use_count = use_count + 1, last_used_at = ${now}
    where id = ${id} and ${OPEN(now)}`)
  return changed === 1
}

// From then on the person cannot join by the codes of these roles that are open now; with a subject, by those that share it.
// For an organization the caller holds its lock, so none is made meanwhile.
export async function barFromCodes(
  tx: Writer,
  from: { userId: UserId; subject?: SharedSubject },
  person: UserId,
  { roles, now }: { roles: readonly Codes[Kind]['role'][]; now: Instant },
): Promise<void> {
  await tx.execute(sql`insert into join_code_bars (code_id, user_id)
    select id, ${person} from join_codes
    where user_id = ${from.userId} and ${isAbout(from.subject)} and role in (${list(roles)}) and ${OPEN(now)}
    on conflict (code_id, user_id) do nothing`)
}

function isAbout(subject: SharedSubject | undefined): Sql {
  if (!subject) return sql`true`
  const { activityId, slugPrefix } = subjectColumns(subject)
  return sql`(activity_id = ${activityId} or slug_prefix = ${slugPrefix})`
}

export async function isBarredFrom(db: Reader, id: JoinCodeId, userId: UserId): Promise<boolean> {
  const row = await db.first<{ barred: number }>(
    sql`select 1 as barred from join_code_bars where code_id = ${id} and user_id = ${userId}`,
  )
  return row !== undefined
}

// Returns false if the account has no such code.
export async function deleteJoinCode(tx: Writer, userId: UserId, id: JoinCodeId): Promise<boolean> {
  return (await tx.execute(sql`delete from join_codes where user_id = ${userId} and id = ${id}`)) === 1
}

// Returns their ids.
export async function deleteCodesMadeBy(tx: Writer, orgId: OrgId, person: UserId): Promise<JoinCodeId[]> {
  const rows = await tx.all<{ id: JoinCodeId }>(
    sql`delete from join_codes where user_id = ${orgId} and created_by = ${person} returning id`,
  )
  return rows.map(({ id }) => id)
}

export async function deleteCodesOf(tx: Writer, userId: UserId): Promise<void> {
  tx.queue(sql`delete from join_codes where user_id = ${userId}`)
}

// Codes that expired before then, and share codes that were used up. A member may use an invitation again that is used up.
export async function deleteCodesClosedBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from join_codes where id in
    (select id from join_codes
      where expires_at < ${at} or (kind = 'share' and use_count >= max_uses and last_used_at < ${at})
      order by expires_at limit ${limit})`)
}
