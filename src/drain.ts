// The first step of a stop: for HELIOGRAPH_DRAIN_SECONDS the node says by GET /ready that it stops, and serves on. A load
// balancer that asks /ready turns to other nodes in this time, so none of its requests meets a closed listener.
import type { CheckReadiness } from './operations/readiness.ts'
import type { Clock } from './runtime/clock.ts'

type Drain = { whyNotReady: CheckReadiness; run(): Promise<void> }

export function createDrain(clock: Clock, seconds: number, whyNotReady: CheckReadiness): Drain {
  let isStopping = false
  return {
    whyNotReady: async () => (isStopping ? 'This node is about to stop.' : whyNotReady()),
    async run() {
      isStopping = true
      if (seconds > 0) await new Promise<void>((resolve) => clock.wakeAfter(seconds * 1000, resolve))
    },
  }
}
