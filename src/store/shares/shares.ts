// Shares: who has which activity or pattern of whom.
import type { ShareRole } from '../../contract/shares.ts'
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import { instant } from '../../domain/instant.ts'
import type { Share, SharedSubject, ShareId } from '../../domain/shares/share.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, type Sql, sql } from '../engine/sql.ts'

const COLUMNS = fragment(`s.id, s.user_id, s.recipient_id, s.role, s.activity_id, s.slug_prefix, s.created_at, a.slug,
  o.nickname as owner_nickname, r.nickname as recipient_nickname`)
const JOINED = fragment(`shares s join users o on o.id = s.user_id join users r on r.id = s.recipient_id
  left join activities a on a.id = s.activity_id`)

export async function insertShare(tx: Writer, share: Share): Promise<void> {
  const { activityId, slugPrefix } = subjectColumns(share.subject)
  tx.queue(sql`insert into shares (id, user_id, recipient_id, role, activity_id, slug_prefix, created_at)
    values (${share.id}, ${share.userId}, ${share.recipientId}, ${share.role}, ${activityId}, ${slugPrefix},
      ${share.createdAt})`)
}

// Only for those who have part in it.
export async function findShare(db: Reader, userId: UserId, id: ShareId): Promise<Share | undefined> {
  const row = await db.first<ShareRow>(sql`select ${COLUMNS} from ${JOINED}
    where s.id = ${id} and (s.user_id = ${userId} or s.recipient_id = ${userId})`)
  return row && toShare(row)
}

export async function findHeldShare(
  db: Reader,
  owner: UserId,
  recipientId: UserId,
  subject: SharedSubject,
): Promise<Share | undefined> {
  const row = await db.first<ShareRow>(sql`select ${COLUMNS} from ${JOINED}
    where s.recipient_id = ${recipientId} and ${isAbout(owner, subject)}`)
  return row && toShare(row)
}

// Given and received, newest first.
export async function listShares(db: Reader, userId: UserId): Promise<Share[]> {
  const rows = await db.all<ShareRow>(sql`select ${COLUMNS} from ${JOINED}
    where s.user_id = ${userId} or s.recipient_id = ${userId} order by s.created_at desc, s.id`)
  return rows.map(toShare)
}

export async function listSharesBetween(db: Reader, owner: UserId, recipientId: UserId): Promise<Share[]> {
  const rows = await db.all<ShareRow>(sql`select ${COLUMNS} from ${JOINED}
    where s.user_id = ${owner} and s.recipient_id = ${recipientId} order by s.id`)
  return rows.map(toShare)
}

// Shares of one activity; those by a pattern that covers it are left out.
export async function listDirectShares(db: Reader, activityId: string): Promise<Share[]> {
  const rows = await db.all<ShareRow>(sql`select ${COLUMNS} from ${JOINED} where s.activity_id = ${activityId}
    order by s.id`)
  return rows.map(toShare)
}

// Given or received.
export async function findNextShare(db: Reader, userId: UserId): Promise<Share | undefined> {
  const row = await db.first<ShareRow>(sql`select ${COLUMNS} from ${JOINED}
    where s.user_id = ${userId} or s.recipient_id = ${userId} order by s.id limit 1`)
  return row && toShare(row)
}

export type GivenShare = Pick<Share, 'recipientId' | 'subject'>

export async function listGivenShares(db: Reader, owner: UserId): Promise<GivenShare[]> {
  const rows = await db.all<SubjectRow & { recipient_id: UserId }>(sql`select recipient_id, activity_id, slug_prefix,
      '' as slug
    from shares where user_id = ${owner}`)
  return rows.map((row) => ({ recipientId: row.recipient_id, subject: toSubject(row) }))
}

// The numbers that limit joining.
export type JoinCounts = { otherFreeRecipients: number; received: number; recipients: number; given: number }

export async function countForJoin(
  db: Reader,
  owner: UserId,
  recipientId: UserId,
  subject: SharedSubject,
): Promise<JoinCounts> {
  const row = await db.first<{ others: number; received: number; recipients: number; given: number }>(sql`select
    (select count(distinct s.recipient_id) from shares s join users u on u.id = s.recipient_id
      where s.user_id = ${owner} and s.recipient_id <> ${recipientId} and u.plan = 'free') as others,
    (select count(*) from shares where recipient_id = ${recipientId}) as received,
    (select count(*) from shares s where ${isAbout(owner, subject)}) as recipients,
    (select count(*) from shares where user_id = ${owner}) as given`)
  return {
    otherFreeRecipients: row?.others ?? 0,
    received: row?.received ?? 0,
    recipients: row?.recipients ?? 0,
    given: row?.given ?? 0,
  }
}

// Returns false if it has been deleted since.
export async function updateRole(tx: Writer, id: ShareId, role: ShareRole): Promise<boolean> {
  return (await tx.execute(sql`update shares set role = ${role} where id = ${id}`)) === 1
}

// Returns false if it has been deleted since.
export async function deleteShare(tx: Writer, id: ShareId): Promise<boolean> {
  return (await tx.execute(sql`delete from shares where id = ${id}`)) === 1
}

function isAbout(owner: UserId, subject: SharedSubject): Sql {
  return subject.kind === 'activity'
    ? sql`s.activity_id = ${subject.activityId}`
    : sql`s.user_id = ${owner} and s.slug_prefix = ${subject.slugPrefix}`
}

type ShareRow = SubjectRow & {
  id: ShareId
  user_id: UserId
  recipient_id: UserId
  role: ShareRole
  created_at: number
  owner_nickname: string | null
  recipient_nickname: string | null
}

const toShare = (row: ShareRow): Share => ({
  id: row.id,
  userId: row.user_id,
  ownerNickname: row.owner_nickname,
  recipientId: row.recipient_id,
  recipientNickname: row.recipient_nickname,
  role: row.role,
  subject: toSubject(row),
  createdAt: instant(row.created_at),
})

// What a share or a share code is about, as columns: one activity, or the prefix of slugs.
// `slug`: of the activity. Deleting the activity deletes the row, so it is there.
export type SubjectRow = { activity_id: ActivityId | null; slug_prefix: string | null; slug: string | null }

export function toSubject({ activity_id, slug_prefix, slug }: SubjectRow): SharedSubject {
  return activity_id === null
    ? { kind: 'pattern', slugPrefix: slug_prefix ?? '' }
    : { kind: 'activity', activityId: activity_id, slug: slug ?? '' }
}

export function subjectColumns(subject: SharedSubject): { activityId: string | null; slugPrefix: string | null } {
  return subject.kind === 'activity'
    ? { activityId: subject.activityId, slugPrefix: null }
    : { activityId: null, slugPrefix: subject.slugPrefix }
}
