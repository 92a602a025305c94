// What apps of other services need to know of a notification: the name of its message, and what its sender said beyond our
// own fields. Both belong to the notification of the organization if it is the entry of a member.

import type { MessageName } from '../../domain/apps/news.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DoorName, DoorRecord } from '../../domain/doors/record.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader } from '../engine/database.ts'
import { list, sql } from '../engine/sql.ts'
import { findDoorRecord } from './records.ts'

export const findMessageRecord = (
  db: Reader,
  { org, userId, id }: Pick<Notification, 'org' | 'userId' | 'id'>,
): Promise<DoorRecord | undefined> => findDoorRecord(db, org?.id ?? userId, org?.notificationId ?? id)

// Notifications that do not exist are left out.
export async function listMessageNames(db: Reader, userId: UserId, ids: NotificationId[]): Promise<MessageName[]> {
  if (ids.length === 0) return []
  const rows = await db.all<NameRow>(sql`select n.id, n.source, s.door, s.sequence, r.repeats_sent
    from notifications n
    left join door_sequences s on s.notification_id = coalesce(n.org_notification_id, n.id)
    left join receipts r on r.notification_id = coalesce(n.org_notification_id, n.id)
    where n.user_id = ${userId} and n.id in (${list(ids)}) order by n.id`)
  return rows.map(toName)
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
  door: DoorName | null
  sequence: string | null
  repeats_sent: number | null
}

const toName = ({ id, source, door, sequence, repeats_sent }: NameRow): MessageName => ({
  notificationId: id,
  source: source ?? undefined,
  sequence: door === 'ntfy' && sequence !== null ? sequence : undefined,
  repeat: repeats_sent ?? 0,
})
