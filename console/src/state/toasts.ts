// Short words at the edge of the screen about what just happened, also read out to who cannot see them.
import { signal } from '@preact/signals'
import { messageOf } from '../api/client.ts'

export type Toast = { id: number; text: string; tone: 'plain' | 'bad' }

export const toasts = signal<Toast[]>([])

const SHOWN_MS = 6000
let lastId = 0

export function say(text: string, tone: Toast['tone'] = 'plain'): void {
  const toast = { id: ++lastId, text, tone }
  toasts.value = [...toasts.value.slice(-2), toast]
  setTimeout(() => dismiss(toast.id), SHOWN_MS)
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

// Carries out what the person asked for; a failure is said, not thrown. True: it worked.
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work()
  } catch (error) {
    say(messageOf(error), 'bad')
    return false
  }
  if (done) say(done)
  return true
}
