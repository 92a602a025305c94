// The numbers under which Gotify's apps know the repeats of an alert. The apps tell messages apart by number and expect
// numbers to grow, so a repeat takes the next id of a notification.
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

type Repeat = { userId: UserId; notificationId: NotificationId; repeat: number }

export async function findRepeatNumber(
  db: Reader,
  { userId, notificationId, repeat }: Repeat,
): Promise<number | undefined> {
  const row = await db.first<{ number: number }>(sql`select number from gotify_repeats
    where user_id = ${userId} and notification_id = ${notificationId} and repeat = ${repeat}`)
  return row?.number
}

// Two streams of the account may do so at once; both get the number that was stored first.
export async function numberRepeat(tx: Writer, repeat: Repeat, now: Instant): Promise<number> {
  const { userId, notificationId } = repeat
  // A row that is inserted and deleted takes an id on both databases.
  const number =
    await tx.insert<NotificationId>(sql`insert into notifications (user_id, level, pushed, bytes, created_at)
    values (${userId}, 'passive', 0, 0, ${now})`)
  await tx.execute(sql`delete from notifications where user_id = ${userId} and id = ${number}`)
  await tx.execute(sql`insert into gotify_repeats (number, user_id, notification_id, repeat)
    values (${number}, ${userId}, ${notificationId}, ${repeat.repeat}) on conflict (notification_id, repeat) do nothing`)
  return (await findRepeatNumber(tx, repeat)) ?? number
}

export async function findRepeated(db: Reader, userId: UserId, number: number): Promise<NotificationId | undefined> {
  const row = await db.first<{ notification_id: NotificationId }>(sql`select notification_id from gotify_repeats
    where user_id = ${userId} and number = ${number}`)
  return row?.notification_id
}
