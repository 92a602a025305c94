// What happened to a notification on its way, step by step and device by device.
import type { UserId } from '../domain/caller.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { NotificationId } from '../domain/notification.ts'
import type { Reader, Writer } from './database.ts'
import { sql } from './sql.ts'

export type TimelineEvent =
  | 'push_sent'
  | 'push_accepted'
  | 'push_rejected'
  | 'retried'
  | 'repeated'
  | 'read'
  | 'answered'
  | 'acknowledged'
  | 'expired'
  | 'canceled'
  | 'callback_attempt'
export type TimelineEntry = { at: Instant; event: TimelineEvent; device?: string; detail?: string }

export async function insertTimeline(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
  entries: TimelineEntry[],
): Promise<void> {
  // The notification may have been deleted while its push was on the way.
  const row = ({ at, event, device, detail }: TimelineEntry) => sql`select id, user_id, cast(${at} as bigint),
      cast(${event} as text), cast(${device ?? null} as text), cast(${detail ?? null} as text)
    from notifications where user_id = ${userId} and id = ${id}`
  const rows = entries.map(row).reduce((all, one) => sql`${all} union all ${one}`)
  tx.write(sql`insert into timeline (notification_id, user_id, at, event, device, detail) ${rows}`)
}

export async function listTimeline(db: Reader, userId: UserId, id: NotificationId): Promise<TimelineEntry[]> {
  const rows = await db.all<TimelineRow>(sql`select at, event, device, detail from timeline
    where user_id = ${userId} and notification_id = ${id} order by id`)
  return rows.map((row) => ({
    at: instant(row.at),
    event: row.event,
    device: row.device ?? undefined,
    detail: row.detail ?? undefined,
  }))
}

type TimelineRow = { at: number; event: TimelineEvent; device: string | null; detail: string | null }
