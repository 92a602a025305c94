// Wakes a held request or an event stream: by signals of the database, by its client disconnecting, by the server
// stopping, and at the latest after a delay, because a signal may be lost.
import type { Context } from './context.ts'

// A signal may be lost, so every waiter looks again after this long.
export const POLL_MS = 1000

export type Wakeup = {
  wake(): void
  // Resolves at once if wake() was called since the last time, and else at the next call or after the delay.
  woken(withinMs: number): Promise<void>
  // Removes every listener; without it each closed stream would stay referenced by `ctx.stopping`.
  end(): void
}

export function createWakeup(ctx: Context, topics: string[], gone?: AbortSignal): Wakeup {
  let isWoken = false
  let resume = () => {}
  const wake = () => {
    isWoken = true
    resume()
  }
  const aborts = gone ? [gone, ctx.stopping] : [ctx.stopping]
  const unsubscribes = topics.map((topic) => ctx.db.signals.subscribe(topic, wake))
  for (const signal of aborts) signal.addEventListener('abort', wake)
  return {
    wake,
    async woken(withinMs) {
      if (!isWoken) {
        const resumed = new Promise<void>((resolve) => (resume = resolve))
        const cancelTimer = ctx.clock.wakeAfter(withinMs, wake)
        await resumed
        cancelTimer()
      }
      isWoken = false
    },
    end() {
      for (const unsubscribe of unsubscribes) unsubscribe()
      for (const signal of aborts) signal.removeEventListener('abort', wake)
    },
  }
}
