// Toasts: short messages about the last action. Screen readers announce them too.
import { signal } from '@preact/signals'
import { messageOf } from '../api/client.ts'

export type ToastAction = { label: string; run: () => unknown }
export type Toast = { id: number; text: string; tone: 'plain' | 'bad'; action?: ToastAction }

export const toasts = signal<Toast[]>([])

const SHOWN_MS = 6000
let lastId = 0

export function showToast(text: string, tone: Toast['tone'] = 'plain', action?: ToastAction): void {
  const toast = { id: ++lastId, text, tone, action }
  toasts.value = [...toasts.value.slice(-2), toast]
  setTimeout(() => dismiss(toast.id), SHOWN_MS)
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
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
