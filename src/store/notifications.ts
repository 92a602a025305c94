// The inbox. What is filtered by has a column of its own; the rest of a notification is one JSON document.
import type { KeyId, UserId } from '../domain/caller.ts'
import { type Instant, instant, later } from '../domain/instant.ts'
import type { Notification, NotificationDraft, NotificationId } from '../domain/notification.ts'
import type { Reader, Writer } from './database.ts'
import { type Fragment, fragment, list, type Sql, sql } from './sql.ts'

const COLUMNS = fragment('id, user_id, key_id, level, content, thread_id, source, pushed, created_at, read_at')

const UNREAD = fragment('read_at is null')
const READ = fragment('read_at is not null')

export type NewNotification = Omit<Notification, 'id' | 'readAt'>

export async function insertNotification(tx: Writer, notification: NewNotification): Promise<NotificationId> {
  const { userId, keyId, pushed, createdAt, level, threadId, source, title, body } = notification
  return tx.insert(sql`insert into notifications (user_id, key_id, level, content,
      thread_id, source, search_text, pushed, created_at, read_at)
    values (${userId}, ${keyId}, ${level}, ${JSON.stringify(contentOf(notification))}, ${threadId ?? null},
      ${source ?? null}, ${searchText(title, body)}, ${pushed ? 1 : 0}, ${createdAt}, null)`)
}

export async function findNotification(
  db: Reader,
  userId: UserId,
  id: NotificationId,
): Promise<Notification | undefined> {
  const row = await db.first<NotificationRow>(
    sql`select ${COLUMNS} from notifications where user_id = ${userId} and id = ${id}`,
  )
  return row && toNotification(row)
}

export type InboxFilter = {
  before?: NotificationId
  unread?: boolean
  source?: string
  threadId?: string
  level?: string
  since?: Instant
  until?: Instant
  text?: string
}

// Newest first. Ids only grow, so a page that was read never changes its place.
export async function listNotifications(
  db: Reader,
  userId: UserId,
  filter: InboxFilter,
  limit: number,
): Promise<Notification[]> {
  const newest = (state: Fragment) => sql`select ${COLUMNS} from notifications where user_id = ${userId} and ${state}
    ${conditions(filter)} order by id desc limit ${limit}`
  // Each half from an index of its own. Without a limit of its own, PostgreSQL would read and sort all of it.
  const rows = await db.all<NotificationRow>(
    filter.unread
      ? newest(UNREAD)
      : sql`select ${COLUMNS} from (${newest(UNREAD)}) unread union all select ${COLUMNS} from (${newest(READ)}) read
          order by id desc limit ${limit}`,
  )
  return rows.map(toNotification)
}

// Only what is unread: the rest keeps the time at which it was read first. Returns what changed.
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

export async function markAllRead(tx: Writer, userId: UserId, now: Instant): Promise<number> {
  return tx.run(sql`update notifications set read_at = ${now} where user_id = ${userId} and read_at is null`)
}

export async function deleteNotification(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
): Promise<{ wasUnread: boolean } | undefined> {
  const row = await tx.first<{ read_at: number | null }>(
    sql`delete from notifications where user_id = ${userId} and id = ${id} returning read_at`,
  )
  return row && { wasUnread: row.read_at === null }
}

// A small batch of what retention ends. Returns whose they were and whether they were unread.
export async function deleteExpiredNotifications(
  tx: Writer,
  before: { read: Instant; unread: Instant },
  limit: number,
): Promise<{ userId: UserId; wasUnread: boolean }[]> {
  const rows = await tx.all<{ user_id: UserId; read_at: number | null }>(sql`delete from notifications where id in
      (select id from notifications
        where created_at < ${later(before.read, before.unread)}
          and ((read_at is null and created_at < ${before.unread}) or (read_at is not null and created_at < ${before.read}))
        order by created_at limit ${limit})
    returning user_id, read_at`)
  return rows.map((row) => ({ userId: row.user_id, wasUnread: row.read_at === null }))
}

function conditions(filter: InboxFilter): Sql {
  const parts: Sql[] = []
  if (filter.before !== undefined) parts.push(sql`and id < ${filter.before}`)
  if (filter.source !== undefined) parts.push(sql`and source = ${filter.source}`)
  if (filter.threadId !== undefined) parts.push(sql`and thread_id = ${filter.threadId}`)
  if (filter.level !== undefined) parts.push(sql`and level = ${filter.level}`)
  if (filter.since !== undefined) parts.push(sql`and created_at >= ${filter.since}`)
  if (filter.until !== undefined) parts.push(sql`and created_at <= ${filter.until}`)
  if (filter.text !== undefined)
    parts.push(sql`and search_text like ${`%${escapeLike(folded(filter.text))}%`} escape '!'`)
  return parts.reduce((all, part) => sql`${all} ${part}`, sql``)
}

// The two databases fold case differently, so it is folded here.
const folded = (text: string) => text.normalize('NFC').toLowerCase()
const searchText = (title: string, body: string) => folded(`${title}\n${body}`)
const escapeLike = (text: string) => text.replace(/[!%_]/g, '!$&')

type NotificationRow = {
  id: NotificationId
  user_id: UserId
  key_id: KeyId | null
  level: NotificationDraft['level']
  content: string
  thread_id: string | null
  source: string | null
  pushed: number
  created_at: number
  read_at: number | null
}

// What has no column of its own.
type Content = Omit<NotificationDraft, 'level' | 'threadId' | 'source'>

const contentOf = (draft: Content): Record<keyof Content, unknown> => ({
  title: draft.title,
  body: draft.body,
  subtitle: draft.subtitle,
  volume: draft.volume,
  sourceDisplayName: draft.sourceDisplayName,
  url: draft.url,
  media: draft.media,
  actions: draft.actions,
  iconUrl: draft.iconUrl,
  metadata: draft.metadata,
  activitySlug: draft.activitySlug,
  encrypted: draft.encrypted,
})

const toNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  userId: row.user_id,
  keyId: row.key_id,
  level: row.level,
  threadId: row.thread_id ?? undefined,
  source: row.source ?? undefined,
  pushed: row.pushed === 1,
  createdAt: instant(row.created_at),
  readAt: row.read_at === null ? null : instant(row.read_at),
  ...(JSON.parse(row.content) as Content),
})
