// The filter of the list: in the address of the page, as a query of the API, and applied to notifications that arrive by
// the event stream.
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'

export type Filter = {
  unread: boolean
  // Only what waits for an answer.
  waiting?: boolean
  // Only what is snoozed, which other lists leave out.
  snoozed?: boolean
  q?: string
  level?: string
  source?: string
  orgId?: string
  threadId?: string
}

export const NO_FILTER: Filter = { unread: false }

export const isFiltered = ({ unread, waiting, snoozed, q, level, source, orgId, threadId }: Filter): boolean =>
  unread || [waiting, snoozed, q, level, source, orgId, threadId].some(Boolean)

// A question without an answer, or an alert that still repeats.
export const isWaiting = ({ answer, receipt }: NotificationView): boolean =>
  answer?.status === 'pending' || receipt?.status === 'active'

export function toQuery(filter: Filter, cursor?: string): string {
  const { unread, waiting, snoozed, q, level, source, orgId, threadId } = filter
  const query = new URLSearchParams()
  if (unread) query.set('unread', 'true')
  if (waiting) query.set('waiting', 'true')
  if (snoozed) query.set('snoozed', 'true')
  if (q) query.set('q', q)
  if (level) query.set('level', level)
  if (source) query.set('source', source)
  if (orgId) query.set('org_id', orgId)
  if (threadId) query.set('thread_id', threadId)
  if (cursor) query.set('cursor', cursor)
  return query.size > 0 ? `?${query}` : ''
}

// The inverse of `toQuery`.
export function fromQuery(text: string): Filter {
  const query = new URLSearchParams(text)
  const textOf = (name: string) => query.get(name) ?? undefined
  return {
    unread: query.get('unread') === 'true',
    waiting: query.get('waiting') === 'true' || undefined,
    snoozed: query.get('snoozed') === 'true' || undefined,
    q: textOf('q'),
    level: textOf('level'),
    source: textOf('source'),
    orgId: textOf('org_id'),
    threadId: textOf('thread_id'),
  }
}

export function matches(filter: Filter, notification: NotificationView): boolean {
  const { unread, waiting, snoozed, q, level, source, orgId, threadId } = filter
  if ((snoozed ?? false) !== (notification.snoozed_until !== undefined)) return false
  if (unread && notification.read_at) return false
  if (waiting && !isWaiting(notification)) return false
  if (level && notification.level !== level) return false
  if (source && notification.source !== source) return false
  if (orgId && notification.org_id !== orgId) return false
  if (threadId && notification.thread_id !== threadId) return false
  const text = `${notification.title}\n${notification.body}`.toLowerCase()
  return !q || text.includes(q.toLowerCase())
}
