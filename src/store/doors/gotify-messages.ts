// How large the messages of Gotify's senders are, by which pages of them are bounded.
import type { UserId } from '../../domain/caller.ts'
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
