// State of the inbox: the loaded part of the list, kept current by the event stream.
import { batch, computed, signal } from '@preact/signals'
import type { NotificationList, NotificationView } from '../../../src/contract/notification.ts'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api, isUnreachable, messageOf } from '../api/client.ts'
import { readValue, storeValue } from '../state/browser-store.ts'
import { accountStream } from '../state/events.ts'
import { createRecovery } from '../state/recovery.ts'
import type { LiveEvent } from '../stream/messages.ts'
import { type Filter, isFiltered, matches, NO_FILTER, toQuery } from './filter.ts'
import { groupThreads } from './threads.ts'

export type ListState = 'loading' | 'ready' | 'offline' | 'failed'
export type LiveAnswer = { action_id: string; text?: string }

export const filter = signal<Filter>(NO_FILTER)
export const notifications = signal<NotificationView[]>([])
export const nextCursor = signal<string | undefined>(undefined)
export const listState = signal<ListState>('loading')
export const listError = signal('')
export const unreadCount = signal(0)
export const hasUnreadCritical = computed(() =>
  notifications.value.some(({ level, read_at }) => level === 'critical' && !read_at),
)
// Answers given since the console was opened, by notification id.
export const liveAnswers = signal<Record<number, LiveAnswer>>({})
// The newest notification, announced to screen readers.
export const announced = signal<NotificationView | undefined>(undefined)

// Filtered lists show single notifications, the unfiltered list one row per thread.
export const rows = computed(() =>
  isFiltered(filter.value)
    ? notifications.value.map((newest) => ({ newest, earlier: [] }))
    : groupThreads(notifications.value),
)

// The senders of the loaded notifications, as options of the filter.
export const sources = computed(() => optionsFrom(({ source, source_display_name }) => [source, source_display_name]))
export const organizations = computed(() => optionsFrom(({ org_id, org_name }) => [org_id, org_name]))

function optionsFrom(optionOf: (one: NotificationView) => [id?: string, name?: string]): [string, string][] {
  const names = new Map<string, string>()
  for (const one of notifications.value) {
    const [id, name] = optionOf(one)
    // The first is the newest: an organization may have been renamed since.
    if (id && !names.has(id)) names.set(id, name ?? id)
  }
  return [...names].sort(([, a], [, b]) => a.localeCompare(b))
}

const recovery = createRecovery(accountStream, () => void loadInbox())

export async function loadInbox(): Promise<void> {
  const asked = filter.value
  if (listState.value !== 'ready') listState.value = 'loading'
  try {
    await accountStream.opened()
    const [page, unread] = await Promise.all([
      loadPage(asked),
      api.get<{ count: number }>('/notifications/unread-count'),
    ])
    // The filter has changed since; another response is on its way.
    if (asked !== filter.value) return
    recovery.succeeded()
    show(page, unread.count)
    // Used only when the console next starts without a network.
    if (!isFiltered(asked)) storeValue('last-inbox', page.items).catch(() => {})
  } catch (error) {
    if (asked === filter.value) await showFailure(error)
  }
}

// A page may be empty and have a cursor: the server scans a bounded part of the inbox per request.
async function loadPage(asked: Filter, cursor?: string): Promise<NotificationList> {
  const page = await api.get<NotificationList>(`/notifications${toQuery(asked, cursor)}`)
  const isOver = page.items.length > 0 || page.next_cursor === undefined
  // Stop if the filter has changed since.
  return isOver || asked !== filter.value ? page : loadPage(asked, page.next_cursor)
}

function show({ items, next_cursor }: NotificationList, unread: number): void {
  batch(() => {
    notifications.value = items
    nextCursor.value = next_cursor
    unreadCount.value = unread
    listState.value = 'ready'
  })
}

async function showFailure(error: unknown): Promise<void> {
  recovery.failed(error)
  const last = isUnreachable(error) ? await readValue('last-inbox') : undefined
  batch(() => {
    if (last) notifications.value = last.filter((one) => matches(filter.value, one))
    listError.value = messageOf(error)
    listState.value = last ? 'offline' : 'failed'
  })
}

export async function loadMore(): Promise<void> {
  const [asked, cursor] = [filter.value, nextCursor.value]
  if (!cursor) return
  const page = await loadPage(asked, cursor)
  if (asked !== filter.value || cursor !== nextCursor.value) return
  notifications.value = [...notifications.value, ...page.items]
  nextCursor.value = page.next_cursor
}

export function setFilter(change: Partial<Filter>): void {
  filter.value = { ...filter.value, ...change }
  void loadInbox()
}

export function clearFilter(): void {
  filter.value = NO_FILTER
  void loadInbox()
}

export async function markRead(ids: number[]): Promise<void> {
  const unread = new Set(notifications.value.filter((one) => !one.read_at).map(({ id }) => id))
  const open = ids.filter((id) => unread.has(id))
  if (open.length > 0) await api.post('/notifications/read', { ids: open })
}

export async function markAllRead(): Promise<void> {
  await api.post('/notifications/read', { all: true })
}

export async function remove(id: number): Promise<void> {
  await api.delete(`/notifications/${id}`)
}

// Returns a function that stops it and forgets the inbox, which belongs to the account that has signed out.
export function followInbox(): () => void {
  const stops = [
    accountStream.onEvents('notification.', apply),
    accountStream.onEvents('org.updated', ({ data }) => void showPresentName((data as { id: string }).id)),
    accountStream.onReset(() => void loadInbox()),
  ]
  return () => {
    for (const stop of stops) stop()
    recovery.succeeded()
    batch(() => {
      filter.value = NO_FILTER
      notifications.value = []
      nextCursor.value = undefined
      unreadCount.value = 0
      listState.value = 'loading'
      liveAnswers.value = {}
      announced.value = undefined
    })
  }
}

function apply({ type, at, data }: LiveEvent): void {
  if (type === 'notification.created') arrived(data as NotificationView)
  if (type === 'notification.read') wereRead(data as { ids?: number[]; all?: true }, at)
  if (type === 'notification.deleted') wasDeleted((data as { id: number }).id)
  if (type === 'notification.answered') wasAnswered(data as LiveAnswer & { id: number })
}

// The event tells that something about the organization has changed, which may be its name.
async function showPresentName(orgId: string): Promise<void> {
  if (!notifications.value.some(({ org_id }) => org_id === orgId)) return
  try {
    const { name } = await api.get<OrganizationView>(`/orgs/${orgId}`)
    notifications.value = notifications.value.map((one) => (one.org_id === orgId ? { ...one, org_name: name } : one))
  } catch {
    // Without a network, or after leaving the organization, the name stays as it is.
  }
}

function arrived(notification: NotificationView): void {
  if (notifications.value.some(({ id }) => id === notification.id)) return
  batch(() => {
    unreadCount.value += 1
    announced.value = notification
    if (matches(filter.value, notification)) notifications.value = [notification, ...notifications.value]
  })
}

// `all` covers the notifications that existed when it was requested. The event comes after the last batch, so later
// notifications stay unread.
function wereRead({ ids, all }: { ids?: number[]; all?: true }, at: string): void {
  const isMeant = ({ id, created_at }: NotificationView) => (all ? created_at <= at : ids?.includes(id))
  batch(() => {
    notifications.value = notifications.value.map((one) =>
      isMeant(one) && !one.read_at ? { ...one, read_at: at } : one,
    )
    if (!all) unreadCount.value = Math.max(0, unreadCount.value - (ids?.length ?? 0))
  })
  if (all) void loadUnreadCount()
}

async function loadUnreadCount(): Promise<void> {
  try {
    unreadCount.value = (await api.get<{ count: number }>('/notifications/unread-count')).count
  } catch {
    // Without a network the count stays as it is.
  }
}

function wasDeleted(id: number): void {
  const gone = notifications.value.find((one) => one.id === id)
  notifications.value = notifications.value.filter((one) => one.id !== id)
  if (gone && !gone.read_at) unreadCount.value = Math.max(0, unreadCount.value - 1)
  if (!gone) void loadUnreadCount()
}

function wasAnswered({ id, ...answer }: LiveAnswer & { id: number }): void {
  liveAnswers.value = { ...liveAnswers.value, [id]: answer }
}
