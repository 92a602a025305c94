// Since when the console has no connection to the server, once that has lasted long enough to be worth a warning.
import { signal } from '@preact/signals'
import type { EventStream } from './event-stream.ts'
import { accountStream } from './events.ts'

// A restart of the server, or a change of the network, is over by then.
const GRACE_MS = 10_000

export const lostSince = signal<Date | undefined>(undefined)

// Returns a function that stops it.
export function followConnection(stream: EventStream = accountStream): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = stream.connection.subscribe((state) => {
    clearTimeout(timer)
    if (state === 'live') {
      lostSince.value = undefined
      return
    }
    const since = new Date()
    timer = setTimeout(() => (lostSince.value = since), GRACE_MS)
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
    lostSince.value = undefined
  }
}
