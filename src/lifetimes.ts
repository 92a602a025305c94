// What a running process has begun and must end: builds its parts in order, ends them in reverse.
import type { Context } from './operations/context.ts'

export type Lifetimes = (() => unknown)[]

// Ends in reverse order everything that was begun, whether the start succeeds or not.
export async function inLifetimes<Built extends { ctx: Context }>(
  build: (lifetimes: Lifetimes) => Promise<Built>,
): Promise<Built & { stop(): Promise<void> }> {
  const lifetimes: Lifetimes = []
  try {
    const built = await build(lifetimes)
    const { log } = built.ctx
    return { ...built, stop: () => endAll(lifetimes, (error) => log.error({ err: error }, 'cannot stop a part')) }
  } catch (error) {
    // The operator needs to see why the start failed, not what followed from it.
    await endAll(lifetimes, () => {})
    throw error
  }
}

// One part that cannot be ended must not keep the others, such as the database, from being ended.
async function endAll(lifetimes: Lifetimes, onError: (error: unknown) => void): Promise<void> {
  for (const end of lifetimes.splice(0).reverse()) {
    try {
      await end()
    } catch (error) {
      onError(error)
    }
  }
}

// Begins the work again only once it has ended. Returns the end of the repetition, which does the work a last time.
export function repeat(ctx: Context, what: string, everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  const attempt = () =>
    work()
      .catch((error) => ctx.log.warn({ err: error }, `cannot ${what}`))
      .finally(() => (underWay = undefined))
  const timer = setInterval(() => (underWay ??= attempt()), everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underWay
    await attempt()
  }
}
