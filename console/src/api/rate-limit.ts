// Requests that the server's rate limit has refused: until when to wait, which the shell shows.
import { signal } from '@preact/signals'

// Milliseconds since 1970; 0 while nothing is limited.
export const limitedUntil = signal(0)

let timer: ReturnType<typeof setTimeout> | undefined
let allowed = Promise.resolve()
let allow = () => {}

const SHORTEST_MS = 1000

export function limitedFor(ms: number): void {
  const until = Date.now() + Math.max(ms, SHORTEST_MS)
  if (until <= limitedUntil.value) return
  if (limitedUntil.value === 0) allowed = new Promise((resolve) => (allow = resolve))
  limitedUntil.value = until
  clearTimeout(timer)
  timer = setTimeout(end, until - Date.now())
}

export const untilAllowed = (): Promise<void> => allowed

function end(): void {
  limitedUntil.value = 0
  allow()
}
