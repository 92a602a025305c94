// The first step of a stop: for HELIOGRAPH_DRAIN_SECONDS the node says by GET /ready that it stops, and serves on. A load
// balancer that asks /ready turns to other nodes in this time, so none of its requests meets a closed listener.
import type { CheckReadiness } from '../operations/readiness.ts'
import type { Clock } from '../runtime/clock.ts'

type Drain = { checkReadiness: CheckReadiness; run(): Promise<void> }

export function createDrain(clock: Clock, seconds: number, checkReadiness: CheckReadiness): Drain {
  let isStopping = false
  return {
    checkReadiness: async () =>
      isStopping ? { isReady: false, reason: 'This node is about to stop.' } : checkReadiness(),
    async run() {
      isStopping = true
      if (seconds > 0) await new Promise<void>((resolve) => clock.wakeAfter(seconds * 1000, resolve))
    },
  }
}
