// The demonstration that an account is playing, if any.
import type { UserId } from '../domain/caller.ts'
import type { Demo } from '../domain/demo.ts'
import type { Writer } from './engine/database.ts'
import { rowsOf } from './engine/rows.ts'
import { FOR_UPDATE, sql } from './engine/sql.ts'

const ROWS = rowsOf<Demo>('demos', {
  id: 'id',
  userId: 'user_id',
  mode: 'mode',
  step: 'step',
  startedAt: 'started_at',
  endsAt: 'ends_at',
  notificationId: 'notification_id',
})

export const findDemoForUpdate = (tx: Writer, userId: UserId): Promise<Demo | undefined> =>
  ROWS.first(tx, sql`where user_id = ${userId} ${FOR_UPDATE}`)

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
