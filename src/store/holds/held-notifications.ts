// Notifications that quiet hours have held and that no digest has told yet.
import type { UserId } from '../../domain/caller.ts'
import type { HeldSource } from '../../domain/holds/quiet-hours.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { eachText, sql } from '../engine/sql.ts'

export async function insertHeld(tx: Writer, userId: UserId, id: NotificationId): Promise<void> {
  tx.queue(sql`insert into held_notifications (user_id, notification_id) values (${userId}, ${id})
    on conflict (user_id, notification_id) do nothing`)
}

export async function hasHeld(db: Reader, userId: UserId): Promise<boolean> {
  return (await db.first(sql`select 1 as held from held_notifications where user_id = ${userId} limit 1`)) !== undefined
}

// Deletes them, so each is told once: of two digests at the same time the second finds none. Returns how many of them are
// unread, by source, most first.
export async function takeHeld(tx: Writer, userId: UserId): Promise<HeldSource[]> {
  const taken = await tx.all<{ id: NotificationId }>(
    sql`delete from held_notifications where user_id = ${userId} returning notification_id as id`,
  )
  if (taken.length === 0) return []
  const ids = JSON.stringify(taken.map(({ id }) => String(id)))
  const rows = await tx.all<{ source: string | null; count: number }>(sql`select source, count(*) as count
    from notifications where user_id = ${userId} and read_at is null
      and id in (select cast(value as bigint) from ${eachText(ids)})
    group by source order by count desc, source`)
  return rows.map(({ source, count }) => ({ source: source ?? undefined, count }))
}
