// One row for each thread, standing where its newest notification stands; what has no thread stands for itself.
import type { NotificationView } from '../../../src/contract/notification.ts'

export type Row = { newest: NotificationView; earlier: NotificationView[] }

export function groupThreads(newestFirst: NotificationView[]): Row[] {
  const rows: Row[] = []
  const byThread = new Map<string, Row>()
  for (const notification of newestFirst) {
    const thread = notification.thread_id
    const row = thread === undefined ? undefined : byThread.get(thread)
    if (row) {
      row.earlier.push(notification)
      continue
    }
    const fresh = { newest: notification, earlier: [] }
    rows.push(fresh)
    if (thread !== undefined) byThread.set(thread, fresh)
  }
  return rows
}

// What was said on one day stands under the name of that day.
export function groupByDay<Item extends { newest: NotificationView }>(rows: Item[]): { day: string; rows: Item[] }[] {
  const days: { day: string; rows: Item[] }[] = []
  for (const row of rows) {
    const day = new Date(row.newest.created_at).toDateString()
    const last = days.at(-1)
    if (last?.day === day) last.rows.push(row)
    else days.push({ day, rows: [row] })
  }
  return days
}
