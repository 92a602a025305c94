// Limits how many tasks run at once. The others wait in a queue, first in, first out.

export type LimitConcurrency = <Result>(task: () => Promise<Result>) => Promise<Result>

export function createConcurrencyLimit(most: number): LimitConcurrency {
  let taken = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (taken < most) taken++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The slot goes to the next in the queue without being freed, so that a new task cannot overtake it.
      const next = waiting.shift()
      if (next) next()
      else taken--
    }
  }
}
