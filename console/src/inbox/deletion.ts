// Deletes notifications after a moment in which the person can undo it: the rows are hidden at once, and the request is sent
// when the toast with Undo is gone, or when the page is left.
import { api, CONSOLE_HEADERS, isUnreachable, messageOf } from '../api/client.ts'
import { dismiss, showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { hidden } from './inbox.ts'
import { batchesOf, inBatches } from './triage.ts'

// The ids that wait for their toast to end, by toast.
const pending = new Map<number, number[]>()

export function deleteWithUndo(ids: number[]): void {
  hide(ids)
  const undo = () => {
    pending.delete(toast)
    unhide(ids)
  }
  const toast = showToast(
    TEXTS.inbox.deleted(ids.length),
    'plain',
    { label: TEXTS.undo, run: undo },
    () => pending.delete(toast) && void sendDeletion(ids),
  )
  pending.set(toast, ids)
}

// What could not be deleted is shown again, with the reason.
async function sendDeletion(ids: number[]): Promise<void> {
  try {
    // They stay hidden until the event of the deletion takes them off the list.
    await inBatches(ids, (batch) => api.delete('/notifications', { ids: batch }))
  } catch (error) {
    unhide(ids)
    showToast(isUnreachable(error) ? TEXTS.inbox.notDeleted : messageOf(error), 'bad')
  }
}

function hide(ids: number[]): void {
  hidden.value = new Set([...hidden.value, ...ids])
}

function unhide(ids: number[]): void {
  hidden.value = new Set([...hidden.value].filter((id) => !ids.includes(id)))
}

// A page that is left cannot wait for an answer: `keepalive` lets the request outlive it.
globalThis.addEventListener?.('pagehide', () => {
  for (const [toast, ids] of pending) {
    pending.delete(toast)
    dismiss(toast)
    for (const batch of batchesOf(ids)) {
      void fetch('/notifications', {
        method: 'DELETE',
        keepalive: true,
        headers: { ...CONSOLE_HEADERS, 'content-type': 'application/json' },
        body: JSON.stringify({ ids: batch }),
      })
    }
  }
})
