// The only place that reads the system clock. Everything else is given a Clock, so that tests can move time.
import { type Instant, instant } from '../domain/instant.ts'

export type Clock = {
  now(): Instant
  // For durations: monotonic, unlike the wall clock.
  monotonicMs(): number
  // Calls back once after the delay; the returned function cancels. Does not keep the process running.
  wakeAfter(delayMs: number, wake: () => void): () => void
}

// setTimeout fires at once for longer delays.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => instant(Date.now()),
  monotonicMs: () => performance.now(),
  wakeAfter(delayMs, wake) {
    const timer = setTimeout(wake, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

let zoneOfServer: string | undefined

// The time zone of this server: that of the variable TZ, or of the system. Looked up once, because it takes longer than a
// send.
export function localTimeZone(): string {
  zoneOfServer ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return zoneOfServer
}
