// What a person does with notifications: mark as read or unread, delete, one or many; and the rows they have selected.
import { signal } from '@preact/signals'
import type { NotificationView } from '../../../src/contract/notification.ts'
import { allPages, api } from '../api/client.ts'
import { attempt, showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { type Filter, toQuery } from './filter.ts'
import { filter, find } from './inbox.ts'

// The ids of the selected rows.
export const selected = signal<ReadonlySet<number>>(new Set())

export function setSelected(ids: number[], isSelected: boolean): void {
  const next = new Set(selected.value)
  for (const id of ids) isSelected ? next.add(id) : next.delete(id)
  selected.value = next
}

export function clearSelection(): void {
  selected.value = new Set()
}

// The server takes this many ids in one request.
const IDS_AT_ONCE = 100

async function inBatches(ids: number[], work: (batch: number[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) await work(ids.slice(start, start + IDS_AT_ONCE))
}

export async function markRead(ids: number[]): Promise<void> {
  const unread = ids.filter((id) => !find(id)?.read_at)
  await inBatches(unread, (batch) => api.post('/notifications/read', { ids: batch }))
}

export async function markUnread(ids: number[]): Promise<void> {
  await inBatches(ids, (batch) => api.post('/notifications/read', { ids: batch, unread: true }))
}

export async function removeAll(ids: number[]): Promise<void> {
  await inBatches(ids, (batch) => api.delete('/notifications', { ids: batch }))
}

// Marks what the filter shows, also what is not loaded, and offers to undo it.
export async function markShownRead(): Promise<void> {
  const unread: Filter = { ...filter.value, unread: true }
  await attempt(async () => {
    const ids = (await allPages<NotificationView>(`/notifications${toQuery(unread)}&limit=100`)).map(({ id }) => id)
    await inBatches(ids, (batch) => api.post('/notifications/read', { ids: batch }))
    showToast(TEXTS.inbox.markedRead(ids.length), 'plain', {
      label: TEXTS.undo,
      run: () => attempt(() => markUnread(ids)),
    })
  })
}
