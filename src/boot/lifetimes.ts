// Starts the parts of a process in order and ends them in reverse order.
import type { Context } from '../operations/context.ts'
import type { Log } from '../runtime/log.ts'

// What ends each part, in the order in which the parts were started.
export type Lifetimes = (() => unknown)[]

// If the build fails, the parts that were started are ended.
export async function withLifetimes<Built extends { ctx: Context }>(
  build: (lifetimes: Lifetimes) => Promise<Built>,
): Promise<Built & { stop(): Promise<void> }> {
  const lifetimes: Lifetimes = []
  try {
    const built = await build(lifetimes)
    const { log } = built.ctx
    return { ...built, stop: () => endAll(lifetimes, (error) => log.error({ err: error }, 'cannot stop a part')) }
  } catch (error) {
    // The operator must see why the start failed, not the errors that follow from it.
    await endAll(lifetimes, () => {})
    throw error
  }
}

// A part that fails to end must not prevent the end of the others, such as the database.
async function endAll(lifetimes: Lifetimes, onError: (error: unknown) => void): Promise<void> {
  for (const end of lifetimes.splice(0).reverse()) {
    try {
      await end()
    } catch (error) {
      onError(error)
    }
  }
}

// Repeats the work without overlap. Returns the function that ends the repetition and runs the work a last time.
export function repeat(log: Log, what: string, everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const attempt = () =>
    work()
      .catch((error) => log.warn({ err: error }, `cannot ${what}`))
      .finally(() => (running = undefined))
  const timer = setInterval(() => (running ??= attempt()), everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await attempt()
  }
}
