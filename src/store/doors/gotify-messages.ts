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
  const rows = await db.all<{ id: NotificationId; size: number }>(sql`select n.id, length(d.message) as size
    from notifications n join door_records d on d.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)}) and d.door = 'gotify'`)
  return new Map(rows.map(({ id, size }) => [id, size]))
}

export type MessageExtras = { record: DoorRecord | undefined; isAlert: boolean }

export async function listMessageExtras(
  db: Reader,
  userId: UserId,
  ids: NotificationId[],
): Promise<Map<NotificationId, MessageExtras>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all<ExtrasRow>(sql`select n.id, d.door, d.channel, d.message, r.notification_id as receipt_id
    from notifications n
    left join door_records d on d.notification_id = coalesce(n.org_notification_id, n.id) and d.door = 'gotify'
    left join receipts r on r.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)})`)
  return new Map(rows.map((row) => [row.id, { record: toRecord(row), isAlert: row.receipt_id !== null }]))
}

type ExtrasRow = {
  id: NotificationId
  door: DoorName | null
  channel: string | null
  message: string | null
  receipt_id: NotificationId | null
}

const toRecord = ({ door, channel, message }: ExtrasRow): DoorRecord | undefined =>
  door === null || channel === null || message === null ? undefined : { door, channel, message: JSON.parse(message) }
