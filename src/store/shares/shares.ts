// Shares: who has which activity or pattern of whom.
import type { ShareRole } from '../../contract/shares.ts'
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Share, SharedSubject, ShareId } from '../../domain/shares/share.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { type Row, rowsOf } from '../engine/rows.ts'
import { type Sql, sql } from '../engine/sql.ts'

// What a share or a share code is about, as columns of the table with this alias: one activity, or the prefix of slugs.
// `a`: the activity. Deleting it deletes the row, so it is there.
export const subjectIn = (alias: string) => ({
  columns: `${alias}.activity_id, ${alias}.slug_prefix, a.slug`,
  read: (row: Row) => toSubject(row as SubjectRow),
})

const ROWS = rowsOf<Share>(
  `shares s join users o on o.id = s.user_id join users r on r.id = s.recipient_id
  left join activities a on a.id = s.activity_id`,
  {
    id: 's.id',
    userId: 's.user_id',
    ownerNickname: 'o.nickname as owner_nickname',
    recipientId: 's.recipient_id',
    recipientNickname: 'r.nickname as recipient_nickname',
    role: 's.role',
    subject: subjectIn('s'),
    createdAt: 's.created_at',
  },
)

export async function insertShare(tx: Writer, share: Share): Promise<void> {
  const { activityId, slugPrefix } = subjectColumns(share.subject)
  tx.queue(sql`insert into shares (id, user_id, recipient_id, role, activity_id, slug_prefix, created_at)
    values (${share.id}, ${share.userId}, ${share.recipientId}, ${share.role}, ${activityId}, ${slugPrefix},
      ${share.createdAt})`)
}

// Only for those who have part in it.
export const findShare = (db: Reader, userId: UserId, id: ShareId): Promise<Share | undefined> =>
  ROWS.first(db, sql`where s.id = ${id} and (s.user_id = ${userId} or s.recipient_id = ${userId})`)

export const findHeldShare = (
  db: Reader,
  owner: UserId,
  recipientId: UserId,
  subject: SharedSubject,
): Promise<Share | undefined> =>
  ROWS.first(db, sql`where s.recipient_id = ${recipientId} and ${isAbout(owner, subject)}`)

// Given and received, newest first.
export const listShares = (db: Reader, userId: UserId): Promise<Share[]> =>
  ROWS.all(db, sql`where s.user_id = ${userId} or s.recipient_id = ${userId} order by s.created_at desc, s.id`)

export const listSharesBetween = (db: Reader, owner: UserId, recipientId: UserId): Promise<Share[]> =>
  ROWS.all(db, sql`where s.user_id = ${owner} and s.recipient_id = ${recipientId} order by s.id`)

// Shares of one activity; those by a pattern that covers it are left out.
export const listDirectShares = (db: Reader, activityId: string): Promise<Share[]> =>
  ROWS.all(db, sql`where s.activity_id = ${activityId} order by s.id`)

// Given or received.
export const findNextShare = (db: Reader, userId: UserId): Promise<Share | undefined> =>
  ROWS.first(db, sql`where s.user_id = ${userId} or s.recipient_id = ${userId} order by s.id limit 1`)

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
      where s.user_id = ${owner} and s.recipient_id <> ${recipientId} and (u.plan = 'free' or u.plan like 'free-%')) as others,
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

type SubjectRow = { activity_id: ActivityId | null; slug_prefix: string | null; slug: string | null }

function toSubject({ activity_id, slug_prefix, slug }: SubjectRow): SharedSubject {
  return activity_id === null
    ? { kind: 'pattern', slugPrefix: slug_prefix ?? '' }
    : { kind: 'activity', activityId: activity_id, slug: slug ?? '' }
}

export function subjectColumns(subject: SharedSubject): { activityId: string | null; slugPrefix: string | null } {
  return subject.kind === 'activity'
    ? { activityId: subject.activityId, slugPrefix: null }
    : { activityId: null, slugPrefix: subject.slugPrefix }
}
