// Notifications of an account. A small row has the columns that lists filter and sort by; all other members are one
// JSON document in a second table, which neither lists nor read marks touch (decision 20).
import type { UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type {
  Banner,
  Notification,
  NotificationDraft,
  NotificationId,
} from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { flag, optional, type Row, rowsOf } from '../engine/rows.ts'
import { type Fragment, fragment, list, sql } from '../engine/sql.ts'

// The members without a column.
export type NotificationContent = Omit<NotificationDraft, 'level' | 'threadId' | 'source'>

// A notification without its content, and the size of that content.
export type InboxEntry = Omit<Notification, keyof NotificationContent | 'org'> & {
  bytes: number
  orgId: OrgId | null
  orgNotificationId: NotificationId | null
}

export const ENTRIES = rowsOf<InboxEntry>('notifications', {
  id: 'id',
  userId: 'user_id',
  keyId: 'key_id',
  level: 'level',
  threadId: optional('thread_id'),
  source: optional('source'),
  pushed: flag('pushed'),
  bytes: 'bytes',
  createdAt: 'created_at',
  readAt: 'read_at',
  snoozedUntil: optional('snoozed_until'),
  orgId: 'org_id',
  orgNotificationId: 'org_notification_id',
})

// The present name of the organization, or the last one if it was deleted. `case` is evaluated lazily, so the rows of
// personal notifications look nothing up.
const ORG_NAME = fragment(`case when org_id is not null then coalesce(
    (select o.nickname from users o where o.id = org_id), (select f.name from former_organizations f where f.id = org_id))
  end as org_name`)

export const UNREAD = fragment('read_at is null')
export const READ = fragment('read_at is not null')

export type Half = 'read' | 'unread'
export const STATES: Record<Half, Fragment> = { read: READ, unread: UNREAD }

export async function findNotification(
  db: Reader,
  userId: UserId,
  id: NotificationId,
): Promise<Notification | undefined> {
  const [notification] = await listNotifications(db, userId, [id])
  return notification
}

// In no particular order. Those that do not exist are left out.
export async function listNotifications(db: Reader, userId: UserId, ids: NotificationId[]): Promise<Notification[]> {
  if (ids.length === 0) return []
  const rows = await db.all<Row & ContentRow>(sql`select ${ENTRIES.columns}, content, ${ORG_NAME}
    from notifications join notification_contents on notification_id = id
    where user_id = ${userId} and id in (${list(ids)})`)
  return rows.map((row) => withContent(ENTRIES.make(row), row))
}

export const findEntry = (db: Reader, userId: UserId, id: NotificationId): Promise<InboxEntry | undefined> =>
  ENTRIES.first(db, sql`where user_id = ${userId} and id = ${id}`)

// Locks the row until the transaction ends.
export async function findNotificationForUpdate(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
): Promise<Notification | undefined> {
  await tx.lock(sql`select id from notifications where user_id = ${userId} and id = ${id}`)
  return findNotification(tx, userId, id)
}

// The entries in the same order, with their contents. Entries that were deleted since are left out.
export async function loadContents(db: Reader, userId: UserId, entries: InboxEntry[]): Promise<Notification[]> {
  if (entries.length === 0) return []
  const rows = await db.all<ContentRow>(sql`select id, content, ${ORG_NAME}
    from notifications join notification_contents on notification_id = id
    where user_id = ${userId} and id in (${list(entries.map(({ id }) => id))})`)
  const contents = new Map(rows.map((row) => [row.id, row]))
  return entries.flatMap((entry) => {
    const row = contents.get(entry.id)
    return row ? [withContent(entry, row)] : []
  })
}

// Marks unread ones only, so the first read time is kept. Returns the changed ids.
export async function markRead(
  tx: Writer,
  userId: UserId,
  ids: NotificationId[],
  now: Instant,
): Promise<NotificationId[]> {
  const rows = await tx.all<{ id: NotificationId }>(sql`update notifications set read_at = ${now}
    where user_id = ${userId} and read_at is null and id in (${list(ids)}) returning id`)
  return rows.map((row) => row.id)
}

// Returns the ids of those that were read.
export async function markUnread(tx: Writer, userId: UserId, ids: NotificationId[]): Promise<NotificationId[]> {
  const rows = await tx.all<{ id: NotificationId }>(sql`update notifications set read_at = null
    where user_id = ${userId} and read_at is not null and id in (${list(ids)}) returning id`)
  return rows.map((row) => row.id)
}

// `until` undefined: ends the snooze.
export async function setSnoozed(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
  until: Instant | undefined,
): Promise<void> {
  tx.queue(sql`update notifications set snoozed_until = ${until ?? null} where user_id = ${userId} and id = ${id}`)
}

// The newest snoozed ones before that one, newest first.
export async function listSnoozedIds(
  db: Reader,
  userId: UserId,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number; limit: number },
): Promise<NotificationId[]> {
  const rows = await db.all<{ id: NotificationId }>(sql`select id from notifications
    where user_id = ${userId} and snoozed_until is not null and id < ${before} order by id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

// The newest unread one, of all or up to an id.
export async function findNewestUnreadId(
  db: Reader,
  userId: UserId,
  upTo?: NotificationId,
): Promise<NotificationId | undefined> {
  const bound = upTo === undefined ? sql`` : sql`and id <= ${upTo}`
  const [row] = await db.all<{ id: NotificationId }>(sql`select id from notifications
    where user_id = ${userId} and read_at is null ${bound} order by id desc limit 1`)
  return row?.id
}

// Marks a batch of unread ones up to that id, newest first. Returns the changed ids in no particular order.
export async function markNewestRead(
  tx: Writer,
  userId: UserId,
  { upTo, limit }: { upTo: NotificationId; limit: number },
  now: Instant,
): Promise<NotificationId[]> {
  // Repeated outside of the subquery: PostgreSQL checks it again on a row that another transaction has just changed.
  const rows = await tx.all<{ id: NotificationId }>(sql`update notifications set read_at = ${now}
    where read_at is null and id in (select id from notifications
      where user_id = ${userId} and read_at is null and id <= ${upTo} order by id desc limit ${limit})
    returning id`)
  return rows.map((row) => row.id)
}

export type DeletedNotification = Banner & { wasUnread: boolean; bytes: number }

// In the order of their ids, in which two transactions that delete the same ones cannot deadlock.
export async function deleteNotifications(
  tx: Writer,
  userId: UserId,
  ids: readonly NotificationId[],
): Promise<DeletedNotification[]> {
  const wanted = sql`user_id = ${userId} and id in (${list(ids)})`
  if (ids.length > 1) await tx.lock(sql`select id from notifications where ${wanted} order by id`)
  const rows = await tx.all<BannerRow & { read_at: number | null; bytes: number }>(
    sql`delete from notifications where ${wanted} returning id, level, collapse_id, read_at, bytes`,
  )
  return rows
    .map((row) => ({ ...toBanner(row), wasUnread: row.read_at === null, bytes: row.bytes }))
    .sort((one, other) => one.id - other.id)
}

type BannerRow = { id: NotificationId; level: Banner['level']; collapse_id: string | null }

const toBanner = ({ id, level, collapse_id }: BannerRow): Banner => ({ id, level, collapseId: collapse_id })

export async function listBanners(db: Reader, userId: UserId, ids: NotificationId[]): Promise<Banner[]> {
  if (ids.length === 0) return []
  const rows = await db.all<BannerRow>(sql`select id, level, collapse_id from notifications
    where user_id = ${userId} and id in (${list(ids)}) order by id`)
  return rows.map(toBanner)
}

// Those of them after which an unread one with the same collapse id came.
export async function listReplacedBanners(
  db: Reader,
  userId: UserId,
  banners: readonly Banner[],
): Promise<NotificationId[]> {
  const collapseIds = [...new Set(banners.flatMap(({ collapseId }) => collapseId ?? []))]
  if (collapseIds.length === 0) return []
  const rows = await db.all<{ collapse_id: string; newest: NotificationId }>(sql`select collapse_id, max(id) as newest
    from notifications where user_id = ${userId} and collapse_id in (${list(collapseIds)}) and read_at is null
    group by collapse_id`)
  const newest = new Map(rows.map((row) => [row.collapse_id, row.newest]))
  return banners.filter(({ id, collapseId }) => id < (newest.get(collapseId ?? '') ?? 0)).map(({ id }) => id)
}

type ContentRow = { id: NotificationId; content: string; org_name: string | null }

function withContent(entry: InboxEntry, { content, org_name }: ContentRow): Notification {
  const { bytes, orgId, orgNotificationId, ...row } = entry
  const draft = JSON.parse(content) as NotificationContent
  if (orgId === null || orgNotificationId === null) return { ...row, ...draft }
  return { ...row, ...draft, org: { id: orgId, name: org_name ?? '', notificationId: orgNotificationId } }
}
