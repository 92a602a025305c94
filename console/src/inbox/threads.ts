// Groups notifications into one row per source and thread, at the place of its newest one. A notification without a thread
// has its own row.
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'

export type Row = { newest: NotificationView; earlier: NotificationView[] }

export function groupThreads(newestFirst: NotificationView[]): Row[] {
  const rows: Row[] = []
  const byThread = new Map<string, Row>()
  for (const notification of newestFirst) {
    const thread = threadOf(notification)
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

export const isSameThread = (one: NotificationView, other: NotificationView): boolean =>
  threadOf(one) !== undefined && threadOf(one) === threadOf(other)

// Two senders may use the same name for a thread.
const threadOf = ({ thread_id, source, org_id }: NotificationView): string | undefined =>
  thread_id === undefined ? undefined : JSON.stringify([org_id, source, thread_id])

const URGENT: NotificationView['level'][] = ['critical', 'time-sensitive']

// What a row hides: how many of the earlier ones are unread, and the most urgent level among those.
export function hiddenIn(earlier: NotificationView[]): { unread: number; level?: NotificationView['level'] } {
  const unread = earlier.filter(({ read_at }) => !read_at)
  return { unread: unread.length, level: URGENT.find((level) => unread.some((one) => one.level === level)) }
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
