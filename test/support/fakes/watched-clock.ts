// A test clock that records timers, so that a test can wait until code sleeps before it moves the time.
import { createTestClock, type TestClock } from './test-clock.ts'

export type WatchedClock = TestClock & {
  // The requested delays, in order.
  alarmsMs: number[]
}

export function createWatchedClock(startAt?: string): WatchedClock {
  const clock = createTestClock(startAt)
  const alarmsMs: number[] = []
  return {
    ...clock,
    alarmsMs,
    wakeAfter(delayMs, wake) {
      alarmsMs.push(delayMs)
      return clock.wakeAfter(delayMs, wake)
    },
  }
}
