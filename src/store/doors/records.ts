// What messages that came through a door said beyond our own fields. A record is part of the row with the text of its
// notification; one that its sender updates later by a sequence has a row of `door_sequences` as well.
import type { DoorName } from '../../contract/keys/doors.ts'
import type { KeyId, UserId } from '../../domain/caller.ts'
import type { DoorRecord, NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

export function insertDoorSequence(
  tx: Writer,
  userId: UserId,
  notificationId: NotificationId,
  { door, channel, sequence }: Omit<DoorRecord, 'message'>,
): void {
  tx.queue(sql`insert into door_sequences (notification_id, user_id, door, channel, sequence)
    values (${notificationId}, ${userId}, ${door}, ${channel}, ${sequence ?? null})
    on conflict (notification_id) do nothing`)
}

export async function findDoorRecord(
  db: Reader,
  userId: UserId,
  notificationId: NotificationId,
): Promise<DoorRecord | undefined> {
  const row = await db.first<DoorRow>(sql`select c.door, c.door_channel, c.door_message, s.sequence
    from notifications n join notification_contents c on c.notification_id = n.id
    left join door_sequences s on s.notification_id = n.id
    where n.user_id = ${userId} and n.id = ${notificationId} and c.door is not null`)
  return row && toRecord(row)
}

// `keyId`: only what this key has sent.
type Sequence = { door: DoorName; channel: string; sequence: string; keyId: KeyId | null }

// The notifications of a sequence, newest first.
export async function listSequence(
  db: Reader,
  userId: UserId,
  { door, channel, sequence, keyId }: Sequence,
): Promise<NotificationId[]> {
  const rows = await db.all<{ notification_id: NotificationId }>(sql`select notification_id from door_sequences
    join notifications on notifications.id = notification_id
    where door_sequences.user_id = ${userId} and door = ${door} and channel = ${channel} and sequence = ${sequence}
      ${keyId === null ? sql`` : sql`and key_id = ${keyId}`}
    order by notification_id desc`)
  return rows.map((row) => row.notification_id)
}

// The newest messages of a sequence by any sender, newest first.
export async function listSequenceRecords(
  db: Reader,
  userId: UserId,
  { door, channel, sequence }: Omit<Sequence, 'keyId'>,
  limit: number,
): Promise<{ notificationId: NotificationId; record: DoorRecord }[]> {
  const rows = await db.all<DoorRow & { notification_id: NotificationId }>(sql`select s.notification_id, c.door,
      c.door_channel, c.door_message, s.sequence
    from door_sequences s join notification_contents c on c.notification_id = s.notification_id
    where s.user_id = ${userId} and s.door = ${door} and s.channel = ${channel} and s.sequence = ${sequence}
    order by s.notification_id desc limit ${limit}`)
  return rows.map((row) => ({ notificationId: row.notification_id, record: toRecord(row) }))
}

type DoorRow = { door: DoorName; door_channel: string; door_message: string; sequence: string | null }

const toRecord = ({ door, door_channel, door_message, sequence }: DoorRow): DoorRecord => ({
  door,
  channel: door_channel,
  sequence: sequence ?? undefined,
  message: JSON.parse(door_message),
})
