// At most so many at once; the others wait for their turn, first come first served.

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createTurns(atOnce: number): InTurn {
  let taken = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (taken < atOnce) taken++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Handed on rather than given back, so that nobody who comes just now is served first.
      const next = waiting.shift()
      if (next) next()
      else taken--
    }
  }
}
