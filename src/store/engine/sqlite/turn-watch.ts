// Holds works to the rule that makes them run one after the other within one turn of the event loop: a work waits for
// nothing but its own statements, which SQLite answers at once. While a work runs, nothing else can.

const LEFT_ITS_TURN =
  'A transaction waited for something other than its own statements, with everyone behind it: do that before or after it.'

export type TurnWatch = {
  // Rejects as soon as the work is found to wait for something outside. The work may go on; its `tx` must be closed.
  enter<Result>(work: () => Promise<Result>): Promise<Result>
  leave(): void
  isInside(): boolean
}

export function createTurnWatch(): TurnWatch {
  let giveUp: ((reason: Error) => void) | undefined
  let isWatching = false

  // A tick asked for in a microtask comes when there are no more microtasks: a work that is not done by then waits for the
  // event loop. All works of a group are watched by one tick.
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
