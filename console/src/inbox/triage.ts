// What a person does with notifications: mark as read or unread, snooze, one or many; and the rows they have selected.
// Deleting is in deletion.ts.
import { signal } from '@preact/signals'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { allPages, api } from '../api/client.ts'
import { attempt, showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { shortMoment } from '../ui/time.tsx'
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

export const batchesOf = (ids: number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, index) =>
    ids.slice(index * IDS_AT_ONCE, (index + 1) * IDS_AT_ONCE),
  )

export async function inBatches(ids: number[], work: (batch: number[]) => Promise<unknown>): Promise<void> {
  for (const batch of batchesOf(ids)) await work(batch)
}

export async function markRead(ids: number[]): Promise<void> {
  const unread = ids.filter((id) => !find(id)?.read_at)
  await inBatches(unread, (batch) => api.post('/notifications/read', { ids: batch }))
}

export async function markUnread(ids: number[]): Promise<void> {
  await inBatches(ids, (batch) => api.post('/notifications/read', { ids: batch, unread: true }))
}

// Returns false if the server refused it, which is shown.
export async function snooze(ids: number[], until: Date): Promise<boolean> {
  const at = until.toISOString()
  const work = () => Promise.all(ids.map((id) => api.put(`/notifications/${id}/snooze`, { until: at })))
  if (!(await attempt(work))) return false
  showToast(TEXTS.inbox.snoozed(ids.length, shortMoment(at)), 'plain', {
    label: TEXTS.undo,
    run: () => attempt(() => Promise.all(ids.map(wake))),
  })
  return true
}

// Shows it in the list again.
export const wake = (id: number): Promise<void> => api.delete(`/notifications/${id}/snooze`)

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
