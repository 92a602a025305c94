// Share codes. They are stored readable, because the owner sees the open ones again.
import type { ShareRole } from '../../contract/shares.ts'
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { JoinCode } from '../../domain/join-code.ts'
import type { Share } from '../../domain/shares/share.ts'
import type { ShareCode, ShareCodeId } from '../../domain/shares/share-code.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, list, sql } from '../engine/sql.ts'
import { type SubjectRow, subjectColumns, toSubject } from './subject.ts'

const COLUMNS = fragment(`c.id, c.user_id, c.code, c.role, c.activity_id, c.slug_prefix, c.max_uses, c.use_count,
  c.expires_at, c.created_at, a.slug`)
const JOINED = fragment('share_codes c left join activities a on a.id = c.activity_id')

export async function insertShareCode(tx: Writer, code: ShareCode): Promise<void> {
  const { activityId, slugPrefix } = subjectColumns(code.subject)
  tx.queue(sql`insert into share_codes (id, user_id, code, role, activity_id, slug_prefix, max_uses, use_count, expires_at,
      created_at)
    values (${code.id}, ${code.userId}, ${code.code}, ${code.role}, ${activityId}, ${slugPrefix}, ${code.maxUses},
      ${code.useCount}, ${code.expiresAt}, ${code.createdAt})`)
}

export async function findShareCode(db: Reader, code: JoinCode): Promise<ShareCode | undefined> {
  const row = await db.first<ShareCodeRow>(sql`select ${COLUMNS} from ${JOINED} where c.code = ${code}`)
  return row && toShareCode(row)
}

// Newest first.
export async function listOpenCodes(db: Reader, userId: UserId, now: Instant): Promise<ShareCode[]> {
  const rows = await db.all<ShareCodeRow>(sql`select ${COLUMNS} from ${JOINED}
    where c.user_id = ${userId} and c.use_count < c.max_uses and c.expires_at > ${now}
    order by c.created_at desc, c.id`)
  return rows.map(toShareCode)
}

export async function countOpenCodes(db: Reader, userId: UserId, now: Instant): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from share_codes
    where user_id = ${userId} and use_count < max_uses and expires_at > ${now}`)
  return row?.count ?? 0
}

// Returns false if another account took the last use, or the code is gone.
export async function takeUse(tx: Writer, id: ShareCodeId, now: Instant): Promise<boolean> {
  const changed = await tx.execute(sql`update share_codes set use_count = use_count + 1, last_used_at = ${now}
    where id = ${id} and use_count < max_uses and expires_at > ${now}`)
  return changed === 1
}

// From then on the recipient of the share cannot join it by the codes of these roles that are open now.
export async function barFromCodes(
  tx: Writer,
  { userId, recipientId, subject }: Pick<Share, 'userId' | 'recipientId' | 'subject'>,
  { roles, now }: { roles: readonly ShareRole[]; now: Instant },
): Promise<void> {
  const { activityId, slugPrefix } = subjectColumns(subject)
  await tx.execute(sql`insert into share_code_bars (code_id, user_id)
    select id, ${recipientId} from share_codes
    where user_id = ${userId} and (activity_id = ${activityId} or slug_prefix = ${slugPrefix})
      and role in (${list(roles)}) and use_count < max_uses and expires_at > ${now}
    on conflict (code_id, user_id) do nothing`)
}

export async function isBarredFrom(db: Reader, id: ShareCodeId, userId: UserId): Promise<boolean> {
  const row = await db.first<{ barred: number }>(
    sql`select 1 as barred from share_code_bars where code_id = ${id} and user_id = ${userId}`,
  )
  return row !== undefined
}

// Returns false if the account has no such code.
export async function deleteShareCode(tx: Writer, userId: UserId, id: ShareCodeId): Promise<boolean> {
  return (await tx.execute(sql`delete from share_codes where user_id = ${userId} and id = ${id}`)) === 1
}

// Codes that expired or were used up before then.
export async function deleteCodesClosedBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from share_codes where id in
    (select id from share_codes where expires_at < ${at} or (use_count >= max_uses and last_used_at < ${at})
      order by expires_at limit ${limit})`)
}

type ShareCodeRow = SubjectRow & {
  id: ShareCodeId
  user_id: UserId
  code: JoinCode
  role: ShareRole
  activity_id: ActivityId | null
  max_uses: number
  use_count: number
  expires_at: number
  created_at: number
}

const toShareCode = (row: ShareCodeRow): ShareCode => ({
  id: row.id,
  userId: row.user_id,
  code: row.code,
  subject: toSubject(row),
  role: row.role,
  maxUses: row.max_uses,
  useCount: row.use_count,
  expiresAt: instant(row.expires_at),
  createdAt: instant(row.created_at),
})
