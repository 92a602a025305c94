// New notifications: those of the works that share a transaction are one statement.
import { Buffer } from 'node:buffer'
import type { UserId } from '../../domain/caller.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { DoorRecord, Notification, NotificationId } from '../../domain/notifications/notification.ts'
import { insertDoorSequence } from '../doors/records.ts'
import type { Database, Writer } from '../engine/database.ts'
import { eachObject, fragment, GIVEN_ID, type Sql, sql } from '../engine/sql.ts'
import type { EntryTemplate } from '../organizations/entries.ts'
import type { NotificationContent } from './notifications.ts'

// The columns that a new notification has, except its id.
const NEW = fragment('user_id, key_id, level, thread_id, source, pushed, bytes, created_at, read_at, collapse_id')
const BODY = fragment('search_text, content, door, door_channel, door_message')

export type NewNotification = Omit<Notification, 'id' | 'org' | 'snoozedUntil'>

// See Database.reserveId.
export const reserveNotificationId = (db: Database): Promise<NotificationId | undefined> =>
  db.reserveId('notifications_id_seq') as Promise<NotificationId | undefined>

// `reservedId`: of `reserveNotificationId`. With it, the notification is written by a last step; a work that writes rows which refer
// to it calls `insertReservedNow` before. `bytes` counts toward the size of the inbox.
export async function insertNotification(
  tx: Writer,
  notification: NewNotification,
  { door, collapseId, reservedId }: { door?: DoorRecord; collapseId?: string; reservedId?: NotificationId } = {},
): Promise<{ id: NotificationId; bytes: number }> {
  const { content, searchText } = textsOf(notification)
  const bytes = Buffer.byteLength(content) + Buffer.byteLength(searchText)
  const row: NewRow = {
    user_id: notification.userId,
    key_id: notification.keyId,
    level: notification.level,
    thread_id: notification.threadId ?? null,
    source: notification.source ?? null,
    pushed: notification.pushed ? 1 : 0,
    bytes,
    created_at: notification.createdAt,
    read_at: notification.readAt,
    collapse_id: collapseId ?? null,
  }
  const body: NewBody = {
    search_text: searchText,
    content,
    door: door?.door ?? null,
    door_channel: door?.channel ?? null,
    door_message: door ? JSON.stringify(door.message) : null,
  }
  if (reservedId) tx.later(insertReserved, { id: reservedId, row, body })
  const id =
    reservedId ?? (await tx.insert<NotificationId>(sql`insert into notifications (${NEW}) values (${valuesOf(row)})`))
  if (!reservedId) tx.queue(insertBody(id, body))
  if (door?.sequence !== undefined) {
    insertReservedNow(tx)
    insertDoorSequence(tx, notification.userId, id, door)
  }
  return { id, bytes }
}

type NewRow = {
  user_id: UserId
  key_id: string | null
  level: string
  thread_id: string | null
  source: string | null
  pushed: 0 | 1
  bytes: number
  created_at: Instant
  read_at: Instant | null
  collapse_id: string | null
}
type NewBody = {
  search_text: string
  content: string
  door: string | null
  door_channel: string | null
  door_message: string | null
}
type Reserved = { id: NotificationId; row: NewRow; body: NewBody }

const valuesOf = (row: NewRow): Sql => sql`${row.user_id}, ${row.key_id}, ${row.level}, ${row.thread_id}, ${row.source},
  ${row.pushed}, ${row.bytes}, ${row.created_at}, ${row.read_at}, ${row.collapse_id}`

const insertBody = (id: NotificationId, body: NewBody): Sql => sql`insert into notification_contents
    (notification_id, ${BODY})
  values (${id}, ${body.search_text}, ${body.content}, ${body.door}, ${body.door_channel}, ${body.door_message})`

const ROWS = eachObject({
  ...{ id: 'bigint', user_id: 'text', key_id: 'text', level: 'text', thread_id: 'text', source: 'text' },
  ...{ pushed: 'bigint', bytes: 'bigint', created_at: 'bigint', read_at: 'bigint', collapse_id: 'text' },
})
const BODIES = eachObject({
  ...{ id: 'bigint', search_text: 'text', content: 'text' },
  ...{ door: 'text', door_channel: 'text', door_message: 'text' },
})

// Those of a transaction by one statement.
function insertReserved(tx: Writer, reserved: Reserved[]): void {
  const [only] = reserved
  if (only && reserved.length === 1) {
    const insertRow = sql`insert into notifications (id, ${NEW}) ${GIVEN_ID} values (${only.id}, ${valuesOf(only.row)})`
    tx.queue(insertRow)
    tx.queue(insertBody(only.id, only.body))
    return
  }
  const rows = JSON.stringify(reserved.map(({ id, row }) => ({ id, ...row })))
  const bodies = JSON.stringify(reserved.map(({ id, body }) => ({ id, ...body })))
  tx.queue(sql`insert into notifications (id, ${NEW}) ${GIVEN_ID} select id, ${NEW} from ${ROWS(rows)}`)
  tx.queue(sql`insert into notification_contents (notification_id, ${BODY}) select id, ${BODY} from ${BODIES(bodies)}`)
}

export const insertReservedNow = (tx: Writer): void => tx.takeNow(insertReserved)

// What the entries of a notification of an organization have in common.
export function entryTemplate(head: Notification, orgId: OrgId): EntryTemplate {
  const { id: headId, level, threadId = null, source = null, pushed, createdAt } = head
  return { ...textsOf(head), orgId, headId, level, threadId, source, pushed, createdAt }
}

function textsOf(draft: NotificationContent): { content: string; searchText: string } {
  return { content: JSON.stringify(contentOf(draft)), searchText: folded(`${draft.title}\n${draft.body}`) }
}

// Folded here, because the two databases fold case differently.
export const folded = (text: string) => text.normalize('NFC').toLowerCase()

const contentOf = (draft: NotificationContent): Record<keyof NotificationContent, unknown> => ({
  title: draft.title,
  body: draft.body,
  subtitle: draft.subtitle,
  volume: draft.volume,
  sound: draft.sound,
  sourceDisplayName: draft.sourceDisplayName,
  url: draft.url,
  media: draft.media,
  attachments: draft.attachments,
  actions: draft.actions,
  iconUrl: draft.iconUrl,
  metadata: draft.metadata,
  activitySlug: draft.activitySlug,
  encrypted: draft.encrypted,
  format: draft.format,
  onlyDevices: draft.onlyDevices,
})
