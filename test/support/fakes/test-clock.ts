// A clock that moves only when a test moves it; due timers fire in order as it moves.
import { type Instant, instant } from '../../../src/domain/instant.ts'
import type { Clock } from '../../../src/runtime/clock.ts'

export type TestClock = Clock & {
  advanceSeconds(seconds: number): void
  set(at: Instant): void
}

type Timer = { dueMs: number; wake: () => void }

export function createTestClock(startAt = '2026-11-15T08:00:00Z'): TestClock {
  let now = Date.parse(startAt)
  let monotonic = 0
  const timers = new Set<Timer>()

  // Without a list of them: some tests move the clock past hundreds of thousands of timers.
  function firstDue(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers) if (timer.dueMs <= end && (!first || timer.dueMs < first.dueMs)) first = timer
    return first
  }

  function advanceMs(ms: number) {
    const end = monotonic + ms
    for (;;) {
      const next = firstDue(end)
      if (!next) break
      timers.delete(next)
      now += Math.max(next.dueMs - monotonic, 0)
      monotonic = Math.max(next.dueMs, monotonic)
      next.wake()
    }
    now += end - monotonic
    monotonic = end
  }

  return {
    now: () => instant(now),
    monotonicMs: () => monotonic,
    wakeAfter(delayMs, wake) {
      const timer = { dueMs: monotonic + Math.max(delayMs, 0), wake }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advanceSeconds: (seconds) => advanceMs(seconds * 1000),
    set(at) {
      now = at
    },
  }
}
