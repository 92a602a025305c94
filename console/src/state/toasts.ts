// Toasts: short messages about the last action. Screen readers announce them too.
import { signal } from '@preact/signals'
import { messageOf } from '../api/client.ts'

export type ToastAction = { label: string; run: () => unknown }
// `onEnd` is called once, when the toast is gone for whatever reason.
export type Toast = { id: number; text: string; tone: 'plain' | 'bad'; action?: ToastAction; onEnd?: () => unknown }

export const toasts = signal<Toast[]>([])

const SHOWN_MS = 6000
let lastId = 0

// At most this many at a time; an older one makes room.
const SHOWN_AT_ONCE = 3

// Returns its id.
export function showToast(
  text: string,
  tone: Toast['tone'] = 'plain',
  action?: ToastAction,
  onEnd?: Toast['onEnd'],
): number {
  const toast = { id: ++lastId, text, tone, action, onEnd }
  toasts.value = [...toasts.value, toast]
  for (const { id } of toasts.value.slice(0, -SHOWN_AT_ONCE)) dismiss(id)
  setTimeout(() => dismiss(toast.id), SHOWN_MS)
  return toast.id
}

export function dismiss(id: number): void {
  const ended = toasts.value.find((toast) => toast.id === id)
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
  ended?.onEnd?.()
}

// Runs an action of the person. A failure is shown as a toast instead of thrown. Returns true on success.
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work()
  } catch (error) {
    showToast(messageOf(error), 'bad')
    return false
  }
  if (done) showToast(done)
  return true
}
