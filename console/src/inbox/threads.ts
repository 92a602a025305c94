// Groups notifications into one row per thread, at the place of its newest one. A notification without a thread has its
// own row.
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

// Groups rows by the day of their newest notification.
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
