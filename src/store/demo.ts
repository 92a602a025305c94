// The demonstration that an account is playing, if any.
import type { UserId } from '../domain/caller.ts'
import type { Demo, DemoId } from '../domain/demo.ts'
import { instant } from '../domain/instant.ts'
import type { NotificationId } from '../domain/notifications/notification.ts'
import type { Writer } from './engine/database.ts'
import { FOR_UPDATE, sql } from './engine/sql.ts'

export async function findDemoForUpdate(tx: Writer, userId: UserId): Promise<Demo | undefined> {
  const row =
    await tx.first<DemoRow>(sql`select id, user_id, mode, step, started_at, ends_at, notification_id from demos
    where user_id = ${userId} ${FOR_UPDATE}`)
  return row && toDemo(row)
}

export async function insertDemo(tx: Writer, demo: Demo): Promise<void> {
  tx.queue(sql`insert into demos (user_id, id, mode, step, started_at, ends_at)
    values (${demo.userId}, ${demo.id}, ${demo.mode}, ${demo.step}, ${demo.startedAt}, ${demo.endsAt})`)
}

export async function updateDemo(tx: Writer, demo: Demo): Promise<void> {
  tx.queue(sql`update demos set step = ${demo.step}, notification_id = ${demo.notificationId}
    where user_id = ${demo.userId} and id = ${demo.id}`)
}

export async function deleteDemo(tx: Writer, { userId, id }: Demo): Promise<void> {
  tx.queue(sql`delete from demos where user_id = ${userId} and id = ${id}`)
}

type DemoRow = {
  id: DemoId
  user_id: UserId
  mode: Demo['mode']
  step: number
  started_at: number
  ends_at: number
  notification_id: NotificationId | null
}

const toDemo = (row: DemoRow): Demo => ({
  id: row.id,
  userId: row.user_id,
  mode: row.mode,
  step: row.step,
  startedAt: instant(row.started_at),
  endsAt: instant(row.ends_at),
  notificationId: row.notification_id,
})
