// What messages that came through a door said beyond our own fields, one row per notification.
import type { DoorName } from '../contract/doors/door.ts'
import type { KeyId, UserId } from '../domain/caller.ts'
import type { DoorRecord } from '../domain/doors/record.ts'
import type { NotificationId } from '../domain/notifications/notification.ts'
import type { Reader, Writer } from './engine/database.ts'
import { fragment, sql } from './engine/sql.ts'

const COLUMNS = fragment('door, channel, sequence, message')

export async function insertDoorRecord(
  tx: Writer,
  userId: UserId,
  notificationId: NotificationId,
  { door, channel, sequence, message }: DoorRecord,
): Promise<void> {
  tx.queue(sql`insert into door_records (notification_id, user_id, door, channel, sequence, message)
    values (${notificationId}, ${userId}, ${door}, ${channel}, ${sequence ?? null}, ${JSON.stringify(message)})`)
}

export async function findDoorRecord(
  db: Reader,
  userId: UserId,
  notificationId: NotificationId,
): Promise<DoorRecord | undefined> {
  const row = await db.first<DoorRow>(
    sql`select ${COLUMNS} from door_records where user_id = ${userId} and notification_id = ${notificationId}`,
  )
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
  const rows = await db.all<{ notification_id: NotificationId }>(sql`select notification_id from door_records
    join notifications on notifications.id = notification_id
    where door_records.user_id = ${userId} and door = ${door} and channel = ${channel} and sequence = ${sequence}
      ${keyId === null ? sql`` : sql`and key_id = ${keyId}`}
    order by notification_id desc`)
  return rows.map((row) => row.notification_id)
}

// The newest messages of a sequence, newest first, whoever has sent them.
export async function listSequenceRecords(
  db: Reader,
  userId: UserId,
  { door, channel, sequence }: Omit<Sequence, 'keyId'>,
  limit: number,
): Promise<{ notificationId: NotificationId; record: DoorRecord }[]> {
  const rows = await db.all<DoorRow & { notification_id: NotificationId }>(sql`select notification_id, ${COLUMNS}
    from door_records where user_id = ${userId} and door = ${door} and channel = ${channel} and sequence = ${sequence}
    order by notification_id desc limit ${limit}`)
  return rows.map((row) => ({ notificationId: row.notification_id, record: toRecord(row) }))
}

type DoorRow = { door: DoorName; channel: string; sequence: string | null; message: string }

const toRecord = ({ door, channel, sequence, message }: DoorRow): DoorRecord => ({
  door,
  channel,
  sequence: sequence ?? undefined,
  message: JSON.parse(message),
})
