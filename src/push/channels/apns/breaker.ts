// Stops sending while nothing can work, and lets one push through now and then to see whether that is still so.
import type { Clock } from '../../../runtime/clock.ts'

const OPEN_MS = 5 * 60_000

export type Breaker = {
  // Why a push must not be sent now; nothing when it may.
  objection(): string | undefined
  // True when it was closed until now.
  open(reason: string): boolean
  // True when it was open until now.
  close(): boolean
}

export function createBreaker(clock: Clock): Breaker {
  let reason: string | undefined
  let probeAtMs = 0
  return {
    objection() {
      if (reason === undefined) return undefined
      const nowMs = clock.monotonicMs()
      if (nowMs < probeAtMs) return reason
      // This one is the probe; the others go on being turned away until its answer is there.
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
