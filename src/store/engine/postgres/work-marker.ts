// Detects whether the calling code is the work of a transaction on PostgreSQL. A work awaits nothing but its own
// statements, so its code runs in the microtasks that follow an answer, and no other code does. AsyncLocalStorage would
// detect every case, but slows down every promise of the process on Node.js before 24.

export type WorkMarker = {
  // Calls the work. Its code is inside until it first awaits.
  start<Result>(work: () => Result): Result
  // Called when a statement of a work is answered. Its code is inside until the microtasks end.
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
      // nextTick from a microtask runs after all microtasks.
      process.nextTick(() => {
        isLeaving = false
        leave()
      })
    },
    leave,
    isInside: () => isInside,
  }
}
