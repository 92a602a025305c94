// Knows whether the code that calls is the work of a transaction on PostgreSQL. AsyncLocalStorage would know it always, but
// makes every promise of the process dearer on Node.js 20 and 22. A work that waits for nothing but its own statements
// goes on in the microtasks that follow an answer, which are its own.

export type WorkMarker = {
  // Calls the work; until it first waits, its code is inside.
  start<Result>(work: () => Result): Result
  // Called when a statement of a work is answered: until the microtasks end, its code is inside.
  goOn(): void
  leave(): void
  isInside(): boolean
}

export function createWorkMarker(): WorkMarker {
  let isInside = false
  let isLeaving = false

  function leave() {
    isInside = false
  }

  return {
    start(work) {
      isInside = true
      try {
        return work()
      } finally {
        leave()
      }
    },
    goOn() {
      isInside = true
      if (isLeaving) return
      isLeaving = true
      // A tick asked for in a microtask comes when there are no more microtasks.
      process.nextTick(() => {
        isLeaving = false
        leave()
      })
    },
    leave,
    isInside: () => isInside,
  }
}
