// What Gotify's apps show of notifications beyond our own fields: the record of the door, and whether it is an alert. Both
// belong to the notification of the organization if it is the entry of a member.
import type { UserId } from '../../domain/caller.ts'
import type { DoorName, DoorRecord } from '../../domain/doors/record.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader } from '../engine/database.ts'
import { list, sql } from '../engine/sql.ts'

// A message of Gotify may have a megabyte, which its record keeps.
export async function listRecordSizes(
  db: Reader,
  userId: UserId,
  ids: NotificationId[],
): Promise<Map<NotificationId, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all<{ id: NotificationId; size: number }>(sql`select n.id, length(c.door_message) as size
    from notifications n join notification_contents c on c.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)}) and c.door = 'gotify'`)
  return new Map(rows.map(({ id, size }) => [id, size]))
}

export type MessageExtras = { record: DoorRecord | undefined; isAlert: boolean }

export async function listMessageExtras(
  db: Reader,
  userId: UserId,
  ids: NotificationId[],
): Promise<Map<NotificationId, MessageExtras>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all<ExtrasRow>(sql`select n.id, c.door, c.door_channel, c.door_message,
      r.notification_id as receipt_id
    from notifications n
    left join notification_contents c on c.notification_id = coalesce(n.org_notification_id, n.id) and c.door = 'gotify'
    left join receipts r on r.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)})`)
  return new Map(rows.map((row) => [row.id, { record: toRecord(row), isAlert: row.receipt_id !== null }]))
}

type ExtrasRow = {
  id: NotificationId
  door: DoorName | null
  door_channel: string | null
  door_message: string | null
  receipt_id: NotificationId | null
}

const toRecord = ({ door, door_channel, door_message }: ExtrasRow): DoorRecord | undefined =>
  door === null || door_channel === null || door_message === null
    ? undefined
    : { door, channel: door_channel, message: JSON.parse(door_message) }
