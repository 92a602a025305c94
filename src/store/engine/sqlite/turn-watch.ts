// Enforces that a work awaits nothing but its own statements. SQLite answers those synchronously, so a work ends within
// one event-loop turn, and no other code runs meanwhile.

const LEFT_ITS_TURN =
  'A transaction awaited something other than its own statements, which blocks all others: do that before or after it.'

export type TurnWatch = {
  // Rejects when the work awaits something else. The work may still go on, so its `tx` must be closed.
  enter<Result>(work: () => Promise<Result>): Promise<Result>
  leave(): void
  isInside(): boolean
}

export function createTurnWatch(): TurnWatch {
  let giveUp: ((reason: Error) => void) | undefined
  let isWatching = false

  // nextTick from a microtask runs after all microtasks: a work that is not done by then awaits the event loop. One tick
  // watches all works of a group.
  function watch() {
    isWatching = true
    queueMicrotask(() => process.nextTick(look))
  }

  function look() {
    isWatching = false
    const reject = giveUp
    giveUp = undefined
    reject?.(new Error(LEFT_ITS_TURN))
  }

  return {
    enter: (work) =>
      new Promise((resolve, reject) => {
        giveUp = reject
        if (!isWatching) watch()
        work().then(resolve, reject)
      }),
    leave() {
      giveUp = undefined
    },
    isInside: () => giveUp !== undefined,
  }
}
