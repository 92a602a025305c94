// Applies the events of the account to the inbox.
import { batch } from '@preact/signals'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { accountStream } from '../state/events.ts'
import type { LiveEvent } from '../stream/messages.ts'
import { matches } from './filter.ts'
import {
  announced,
  filter,
  find,
  forgetInbox,
  loadInbox,
  loadUnreadCount,
  loadWaiting,
  notifications,
  refreshNotification,
  relist,
  replaceEach,
  setWaiting,
  unreadCount,
  waiting,
} from './inbox.ts'

// Returns a function that stops it.
export function followInbox(): () => void {
  const stops = [
    accountStream.onEvents('notification.', apply),
    accountStream.onEvents('receipt.', applyReceipt),
    accountStream.onEvents('org.updated', ({ data }) => void showPresentName((data as { id: string }).id)),
    accountStream.onReset(() => {
      void loadInbox()
      void loadWaiting()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    forgetInbox()
  }
}

function apply({ type, at, data }: LiveEvent): void {
  if (type === 'notification.created') arrived(data as NotificationView)
  if (type === 'notification.read') wereRead(data as { ids?: number[]; all?: true }, at)
  if (type === 'notification.unread') wereMarkedUnread((data as { ids: number[] }).ids)
  if (type === 'notification.snoozed') wasSnoozed((data as { id: number }).id)
  if (type === 'notification.woken') refreshPlace((data as { id: number }).id)
  if (type === 'notification.deleted') wasDeleted((data as { id: number }).id)
  if (type === 'notification.answered') refresh((data as { id: number }).id)
}

function applyReceipt({ type, data }: LiveEvent): void {
  if (type !== 'receipt.created') refresh((data as { id: number }).id)
}

// Without a network the notification stays as it is; the stream then also begins anew.
const refresh = (id: number): void => void refreshNotification(id).catch(() => {})

// The event tells that something about the organization has changed, which may be its name.
async function showPresentName(orgId: string): Promise<void> {
  if (!notifications.value.some(({ org_id }) => org_id === orgId)) return
  try {
    const { name } = await api.get<OrganizationView>(`/orgs/${orgId}`)
    replaceEach((one) => (one.org_id === orgId ? { ...one, org_name: name } : one))
  } catch {
    // Without a network, or after leaving the organization, the name stays as it is.
  }
}

function arrived(notification: NotificationView): void {
  if (find(notification.id)) return
  batch(() => {
    unreadCount.value += 1
    announced.value = notification
    if (matches(filter.value, notification)) notifications.value = [notification, ...notifications.value]
    setWaiting([notification, ...waiting.value])
  })
}

// `all` covers the notifications that existed when it was requested. The event comes after the last batch, so later
// notifications stay unread.
function wereRead({ ids, all }: { ids?: number[]; all?: true }, at: string): void {
  const isMeant = ({ id, created_at }: NotificationView) => (all ? created_at <= at : ids?.includes(id))
  batch(() => {
    replaceEach((one) => (isMeant(one) && !one.read_at ? { ...one, read_at: at } : one))
    if (!all) unreadCount.value = Math.max(0, unreadCount.value - (ids?.length ?? 0))
  })
  if (all) void loadUnreadCount()
}

function wereMarkedUnread(ids: number[]): void {
  batch(() => {
    replaceEach((one) => (ids.includes(one.id) ? { ...one, read_at: undefined } : one))
    unreadCount.value += ids.length
  })
}

// The event of the read mark came before this one, so the unread count is right.
function wasSnoozed(id: number): void {
  if (filter.value.snoozed) {
    refreshPlace(id)
    return
  }
  batch(() => {
    notifications.value = notifications.value.filter((other) => other.id !== id)
    setWaiting(waiting.value.filter((other) => other.id !== id))
  })
}

// It comes into the list, or leaves it.
function refreshPlace(id: number): void {
  void relist(id).catch(() => {})
}

function wasDeleted(id: number): void {
  const gone = find(id)
  batch(() => {
    notifications.value = notifications.value.filter((one) => one.id !== id)
    setWaiting(waiting.value.filter((one) => one.id !== id))
    if (gone && !gone.read_at) unreadCount.value = Math.max(0, unreadCount.value - 1)
  })
  if (!gone) void loadUnreadCount()
}
