// The timeline of a notification, by step and device. The sending of a push and its outcome are two steps in one row.
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { list, sql } from '../engine/sql.ts'

export type TimelineEvent =
  | 'muted'
  | 'quiet_hours'
  | 'storm'
  | 'held'
  | 'push_sent'
  | 'push_accepted'
  | 'push_rejected'
  | 'not_connected'
  | 'retried'
  | 'no_receipt'
  | 'receipt_shared'
  | 'repeated'
  | 'escalated'
  | 'members_added'
  | 'emailed'
  | 'email_refused'
  | 'read'
  | 'answered'
  | 'acknowledged'
  | 'expired'
  | 'canceled'
  | 'callback_attempt'
export type TimelineEntry = { at: Instant; event: TimelineEvent; device?: string; detail?: string }
// `sentAt`: for the outcome of a push, when it was sent.
export type NewTimelineEntry = TimelineEntry & { sentAt?: Instant }

export async function insertTimeline(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
  { at, event, device, detail, sentAt }: NewTimelineEntry,
): Promise<void> {
  // The notification may have been deleted since its push was sent.
  tx.queue(sql`insert into timeline (notification_id, user_id, at, event, device, detail, sent_at)
    select id, user_id, cast(${at} as bigint), cast(${event} as text), cast(${device ?? null} as text),
      cast(${detail ?? null} as text), cast(${sentAt ?? null} as bigint)
    from notifications where user_id = ${userId} and id = ${id}`)
}

// One statement for all of them.
export async function insertReadTimelines(
  tx: Writer,
  userId: UserId,
  ids: readonly NotificationId[],
  at: Instant,
): Promise<void> {
  tx.queue(sql`insert into timeline (notification_id, user_id, at, event)
    select id, user_id, cast(${at} as bigint), 'read'
    from notifications where user_id = ${userId} and id in (${list(ids)}) order by id`)
}

export async function listTimeline(db: Reader, userId: UserId, id: NotificationId): Promise<TimelineEntry[]> {
  const rows = await db.all<TimelineRow>(sql`select at, event, device, detail, sent_at from timeline
    where user_id = ${userId} and notification_id = ${id} order by id`)
  return rows.flatMap(toEntries)
}

type TimelineRow = {
  at: number
  event: TimelineEvent
  device: string | null
  detail: string | null
  sent_at: number | null
}

function toEntries({ at, event, sent_at: sentAt, ...row }: TimelineRow): TimelineEntry[] {
  const device = row.device ?? undefined
  const entry: TimelineEntry = { at: instant(at), event, device, detail: row.detail ?? undefined }
  return sentAt === null ? [entry] : [{ at: instant(sentAt), event: 'push_sent', device }, entry]
}
