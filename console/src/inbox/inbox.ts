// State of the inbox: the loaded part of the list, what waits for an answer, and the filter. inbox-events.ts keeps it
// current.
import { batch, computed, signal } from '@preact/signals'
import type { NotificationList, NotificationView } from '../../../src/contract/notifications/notification.ts'
import { allPages, api, isUnreachable, messageOf, unlessMissing } from '../api/client.ts'
import { readValue, storeValue } from '../state/browser-store.ts'
import { accountStream } from '../state/events.ts'
import { createRecovery } from '../state/recovery.ts'
import { type Filter, fromQuery, isFiltered, isWaiting, matches, NO_FILTER, toQuery } from './filter.ts'
import { groupThreads } from './threads.ts'

export type ListState = 'loading' | 'ready' | 'offline' | 'failed'

// From the address, so that a link with a filter loads the list once.
export const filter = signal<Filter>(fromAddress())
export const notifications = signal<NotificationView[]>([])
// The ids of rows that are about to be deleted: they are hidden while the person can undo it.
export const hidden = signal<ReadonlySet<number>>(new Set())
export const nextCursor = signal<string | undefined>(undefined)
export const listState = signal<ListState>('loading')
export const listError = signal('')
export const unreadCount = signal(0)
// All questions without an answer and all alerts that still repeat, however old, the most urgent first.
export const waiting = signal<NotificationView[]>([])
export const isRinging = ({ level, receipt }: NotificationView): boolean =>
  receipt?.status === 'active' && level !== 'passive'
export const ringingCount = computed(() => waiting.value.filter(({ receipt }) => receipt?.status === 'active').length)
// A critical one is unread, or still rings although it is not in the loaded part of the list.
export const hasCritical = computed(() =>
  [...notifications.value, ...waiting.value].some(
    (one) => one.level === 'critical' && (!one.read_at || isRinging(one)),
  ),
)
// The newest notification, announced to screen readers.
export const announced = signal<NotificationView | undefined>(undefined)

// What waits is above the unfiltered list.
export const pinned = computed(() => (isFiltered(filter.value) ? [] : shown(waiting.value)))
// Those of them that have a row, with their buttons.
const ROWS_OF_PINNED = 3
export const pinnedRows = computed(() => pinned.value.slice(0, ROWS_OF_PINNED))

const shown = (items: NotificationView[]): NotificationView[] =>
  hidden.value.size === 0 ? items : items.filter(({ id }) => !hidden.value.has(id))

// Filtered lists show single notifications, the unfiltered list one row per thread.
export const rows = computed(() => {
  const listed = shown(notifications.value)
  if (isFiltered(filter.value)) return listed.map((newest) => ({ newest, earlier: [] }))
  const pinnedIds = new Set(pinned.value.map(({ id }) => id))
  return groupThreads(listed.filter(({ id }) => !pinnedIds.has(id)))
})

export const find = (id: number): NotificationView | undefined =>
  [...notifications.value, ...waiting.value].find((one) => one.id === id)

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
const waitingRecovery = createRecovery(accountStream, () => void loadWaiting())

export async function loadInbox(): Promise<void> {
  const asked = filter.value
  if (listState.value !== 'ready') listState.value = 'loading'
  try {
    const [page, unread] = await accountStream.loadCurrent(() =>
      Promise.all([loadPage(asked), api.get<{ count: number }>('/notifications/unread-count')]),
    )
    // What waits is above the list: shown after it, it would push the rows down under the pointer.
    if (listState.value !== 'ready') await waitingLoad
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

let waitingLoad: Promise<void> = Promise.resolve()

export function loadWaiting(): Promise<void> {
  waitingLoad = readWaiting()
  return waitingLoad
}

async function readWaiting(): Promise<void> {
  try {
    const load = () => allPages<NotificationView>('/notifications?waiting=true&limit=100')
    setWaiting(await accountStream.loadCurrent(load))
    waitingRecovery.succeeded()
  } catch (error) {
    waitingRecovery.failed(error)
  }
}

const URGENCY: NotificationView['level'][] = ['critical', 'time-sensitive', 'active', 'passive']

export function setWaiting(items: NotificationView[]): void {
  waiting.value = items.filter(isWaiting).sort(byUrgency)
}

// Most urgent first, then newest first.
type Urgent = Pick<NotificationView, 'id' | 'level'>

export const byUrgency = (a: Urgent, b: Urgent): number =>
  URGENCY.indexOf(a.level) - URGENCY.indexOf(b.level) || b.id - a.id

// Reads one notification again, because its answer or its receipt has changed.
export async function refreshNotification(id: number): Promise<void> {
  if (!find(id)) return
  const fresh = await unlessMissing(api.get<NotificationView>(`/notifications/${id}`))
  if (fresh) replaceEach((one) => (one.id === id ? fresh : one))
}

// Reads one notification again, and lists it where it belongs by now.
export async function relist(id: number): Promise<void> {
  const fresh = await unlessMissing(api.get<NotificationView>(`/notifications/${id}`))
  const others = notifications.value.filter((one) => one.id !== id)
  const isInRange = !nextCursor.value || id > (others.at(-1)?.id ?? 0)
  const isListed = fresh !== undefined && isInRange && matches(filter.value, fresh)
  batch(() => {
    notifications.value = isListed ? [...others, fresh].sort((a, b) => b.id - a.id) : others
    const waitingOthers = waiting.value.filter((one) => one.id !== id)
    setWaiting(fresh && !fresh.snoozed_until ? [fresh, ...waitingOthers] : waitingOthers)
  })
}

// Changes notifications wherever they are listed.
export function replaceEach(change: (one: NotificationView) => NotificationView): void {
  batch(() => {
    notifications.value = notifications.value.map(change)
    setWaiting(waiting.value.map(change))
  })
}

export function setFilter(change: Partial<Filter>): void {
  filter.value = { ...filter.value, ...change }
  showFilterInAddress()
  void loadInbox()
}

// Another list of the inbox, for a link that leads to it.
export function openList(wanted: Partial<Filter>): void {
  const next = { ...NO_FILTER, ...wanted }
  if (toQuery(next) === toQuery(filter.value)) return
  filter.value = next
  void loadInbox()
}

export function clearFilter(): void {
  filter.value = NO_FILTER
  showFilterInAddress()
  void loadInbox()
}

// Node, where tests run, has no address.
function fromAddress(): Filter {
  const isInbox = /^\/app\/(?:n\/|$)/.test(globalThis.location?.pathname ?? '')
  return isInbox ? fromQuery(location.search) : NO_FILTER
}

// Call it when the page of the inbox opens: its address may have a filter; else it gets the present one.
export function takeFilterFromAddress(): void {
  const wanted = fromQuery(location.search)
  if (!isFiltered(wanted)) showFilterInAddress()
  else if (toQuery(wanted) !== toQuery(filter.value)) setFilter(wanted)
}

function showFilterInAddress(): void {
  const address = location.pathname + toQuery(filter.value)
  if (address !== location.pathname + location.search) history.replaceState(history.state, '', address)
}

export const pageOf = (id: number): string => `/app/n/${id}${toQuery(filter.value)}`
export const listPage = (): string => `/app/${toQuery(filter.value)}`

export async function loadUnreadCount(): Promise<void> {
  try {
    unreadCount.value = (await api.get<{ count: number }>('/notifications/unread-count')).count
  } catch {
    // Without a network the count stays as it is.
  }
}

// The inbox belongs to the account that has signed out.
export function forgetInbox(): void {
  recovery.succeeded()
  waitingRecovery.succeeded()
  batch(() => {
    filter.value = NO_FILTER
    notifications.value = []
    waiting.value = []
    hidden.value = new Set()
    nextCursor.value = undefined
    unreadCount.value = 0
    listState.value = 'loading'
    announced.value = undefined
  })
}
