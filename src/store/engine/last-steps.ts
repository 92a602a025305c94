// Changes that all works of a transaction make together, by few statements, when the works have ended.
import type { LastStep, Writer } from './database.ts'

export type LastSteps = Pick<Writer, 'later' | 'takeNow'> & {
  takeAll(): void
}

export function collectLastSteps(tx: () => Writer): LastSteps {
  const collected = new Map<LastStep<never>, unknown[]>()

  function takeNow<Item>(step: LastStep<Item>) {
    const items = collected.get(step) as Item[] | undefined
    collected.delete(step)
    if (items) step(tx(), items)
  }

  return {
    later(step, item) {
      const items = collected.get(step)
      if (items) items.push(item)
      else collected.set(step, [item])
    },
    takeNow,
    takeAll() {
      for (const step of collected.keys()) takeNow(step)
    },
  }
}
