// Loads again what could not be loaded because the server was out of reach: when the stream is open again, and after pauses
// that become longer. Nobody has to press a button.
import { isUnreachable } from '../api/client.ts'
import type { EventStream } from './event-stream.ts'

export type Recovery = {
  failed(error: unknown): void
  succeeded(): void
  // Ends the retries, when the page is left.
  stop(): void
}

const FIRST_PAUSE_MS = 2000
const LAST_PAUSE_MS = 30_000

export function createRecovery(stream: EventStream, load: () => unknown): Recovery {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const retry = () => {
    clearTimeout(timer)
    load()
  }
  const unsubscribe = stream.connection.subscribe((state) => {
    if (state === 'live' && failures > 0) retry()
  })
  return {
    failed(error) {
      clearTimeout(timer)
      if (!isUnreachable(error)) return
      timer = setTimeout(retry, Math.min(FIRST_PAUSE_MS * 2 ** failures++, LAST_PAUSE_MS))
    },
    succeeded() {
      failures = 0
      clearTimeout(timer)
    },
    stop() {
      clearTimeout(timer)
      unsubscribe()
    },
  }
}
