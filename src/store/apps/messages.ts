// What apps of other services need to know of notifications: the names of their messages, what their senders said beyond our
// own fields, and which message each replaces. Names and records belong to the notification of the organization if it is the
// entry of a member.
import type { MessageName } from '../../domain/apps/news.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DoorName } from '../../domain/doors/door.ts'
import { messageIdOf } from '../../domain/doors/ntfy/message-id.ts'
import type { Instant } from '../../domain/instant.ts'
import type { DoorRecord, NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader } from '../engine/database.ts'
import { list, sql } from '../engine/sql.ts'

// Notifications that do not exist are left out.
export async function listMessageNames(db: Reader, userId: UserId, ids: NotificationId[]): Promise<MessageName[]> {
  if (ids.length === 0) return []
  const rows =
    await db.all<NameRow>(sql`select n.id, n.source, coalesce(n.org_notification_id, n.id) as sent_id, c.door,
      s.sequence, r.repeats_sent, (select max(newer.notification_id) from door_sequences newer
        where newer.user_id = s.user_id and newer.door = s.door and newer.channel = s.channel
          and newer.sequence = s.sequence) as newest_id
    from notifications n
    left join notification_contents c on c.notification_id = coalesce(n.org_notification_id, n.id)
    left join door_sequences s on s.notification_id = coalesce(n.org_notification_id, n.id)
    left join receipts r on r.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)}) order by n.id`)
  return rows.map(toName)
}

// `record`: undefined if the message came through another door. `replacedId`: the notification before with the same collapse
// id.
export type MessageExtras = { record: DoorRecord | undefined; isAlert: boolean; replacedId?: NotificationId }

export async function listMessageExtras(
  db: Reader,
  userId: UserId,
  ids: NotificationId[],
  door: DoorName,
): Promise<Map<NotificationId, MessageExtras>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all<ExtrasRow>(sql`select n.id, c.door, c.door_channel, c.door_message, s.sequence,
      r.notification_id as receipt_id, (select max(former.id) from notifications former
        where former.user_id = n.user_id and former.collapse_id = n.collapse_id and former.id < n.id) as replaced_id
    from notifications n
    left join notification_contents c
      on c.notification_id = coalesce(n.org_notification_id, n.id) and c.door = ${door}
    left join door_sequences s on s.notification_id = c.notification_id
    left join receipts r on r.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)})`)
  return new Map(rows.map((row) => [row.id, toExtras(row)]))
}

// How far back "read all" withdraws messages: a phone shows no more than a few.
const LOOKED_AT = 1000

// The newest of those that were read by one "read all", which marks them with one time.
export async function listReadAt(db: Reader, userId: UserId, at: Instant, limit: number): Promise<NotificationId[]> {
  const rows = await db.all<{ id: NotificationId }>(sql`select id from
    (select id, read_at from notifications where user_id = ${userId} order by id desc limit ${LOOKED_AT}) newest
    where read_at = ${at} order by id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

type NameRow = {
  id: NotificationId
  source: string | null
  sent_id: NotificationId
  door: DoorName | null
  sequence: string | null
  newest_id: NotificationId | null
  repeats_sent: number | null
}

function toName({ id, source, sent_id, door, sequence, newest_id, repeats_sent }: NameRow): MessageName {
  const isFromNtfy = door === 'ntfy'
  return {
    notificationId: id,
    source: source ?? undefined,
    sequence: isFromNtfy ? (sequence ?? messageIdOf(sent_id)) : undefined,
    isReplaced: isFromNtfy && newest_id !== null && newest_id > sent_id,
    repeat: repeats_sent ?? 0,
  }
}

type ExtrasRow = {
  id: NotificationId
  door: DoorName | null
  door_channel: string | null
  door_message: string | null
  sequence: string | null
  receipt_id: NotificationId | null
  replaced_id: NotificationId | null
}

function toExtras({ door, door_channel, door_message, sequence, receipt_id, replaced_id }: ExtrasRow): MessageExtras {
  const record =
    door === null || door_channel === null || door_message === null
      ? undefined
      : { door, channel: door_channel, sequence: sequence ?? undefined, message: JSON.parse(door_message) }
  return { record, isAlert: receipt_id !== null, replacedId: replaced_id ?? undefined }
}
