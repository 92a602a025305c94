// Circuit breaker: rejects pushes while APNs refuses all of them, and lets one through every five minutes as a probe.
import type { Clock } from '../../../runtime/clock.ts'

const OPEN_MS = 5 * 60_000

export type Breaker = {
  // The reason why a push must not be sent now; undefined if it may.
  blockedReason(): string | undefined
  // Returns true if it was closed until now.
  open(reason: string): boolean
  // Returns true if it was open until now.
  close(): boolean
}

export function createBreaker(clock: Clock): Breaker {
  let reason: string | undefined
  let probeAtMs = 0
  return {
    blockedReason() {
      if (reason === undefined) return undefined
      const nowMs = clock.monotonicMs()
      if (nowMs < probeAtMs) return reason
      // This push is the probe; others are rejected until it is answered.
      probeAtMs = nowMs + OPEN_MS
      return undefined
    },
    open(newReason) {
      const wasClosed = reason === undefined
      reason = newReason
      probeAtMs = clock.monotonicMs() + OPEN_MS
      return wasClosed
    },
    close() {
      const wasOpen = reason !== undefined
      reason = undefined
      return wasOpen
    },
  }
}
