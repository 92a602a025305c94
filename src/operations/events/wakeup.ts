// Wakes a held request or an event stream: by signals of the database, by its client disconnecting, by the server
// stopping, and at the latest after a delay, because a signal may be lost.
import type { Context } from '../context.ts'

export type Bell = {
  ring(): void
  // Resolves at the first ring since the last time, or after the delay.
  rung(withinMs: number): Promise<void>
  // Removes every listener; without it each closed stream would stay referenced by `ctx.stopping`.
  end(): void
}

export function createBell(ctx: Context, topics: string[], gone?: AbortSignal): Bell {
  let hasRung = false
  let wake = () => {}
  const ring = () => {
    hasRung = true
    wake()
  }
  const aborts = gone ? [gone, ctx.stopping] : [ctx.stopping]
  const unsubscribes = topics.map((topic) => ctx.db.signals.subscribe(topic, ring))
  for (const signal of aborts) signal.addEventListener('abort', ring)
  return {
    ring,
    async rung(withinMs) {
      if (!hasRung) {
        const woken = new Promise<void>((resolve) => (wake = resolve))
        const cancelTimer = ctx.clock.wakeAfter(withinMs, ring)
        await woken
        cancelTimer()
      }
      hasRung = false
    },
    end() {
      for (const unsubscribe of unsubscribes) unsubscribe()
      for (const signal of aborts) signal.removeEventListener('abort', ring)
    },
  }
}
