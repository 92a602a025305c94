// Coalesces bursts of changes: while a request runs, and for a while after it, further changes are merged into one.
import type { Sleep } from './transport.ts'

type Patch = Record<string, unknown>
type Waiting<Result> = { patch: Patch; isUrgent: boolean; sent: Promise<Result> }

export type Coalescing<Result> = {
  // Resolves with the response to the request that carried the change.
  change(patch: Patch): Promise<Result>
  // Ends the pause, so that the change is sent as soon as the request before it has its response.
  changeNow(patch: Patch): Promise<Result>
}

export function coalescing<Result>(
  send: (patch: Patch) => Promise<Result>,
  intervalMs: number,
  sleep: Sleep,
): Coalescing<Result> {
  let waiting: Waiting<Result> | undefined
  let running: Promise<unknown> = Promise.resolve()
  let nextAt = 0
  let endPause = () => {}

  async function sendAfter(before: Promise<unknown>): Promise<Result> {
    await before
    const pauseMs = nextAt - performance.now()
    const ended = new Promise<void>((resolve) => {
      endPause = resolve
    })
    if (pauseMs > 0 && !waiting?.isUrgent) await Promise.race([sleep(pauseMs), ended])
    const patch = waiting?.patch ?? {}
    waiting = undefined
    try {
      return await send(patch)
    } finally {
      nextAt = performance.now() + intervalMs
    }
  }

  function change(patch: Patch): Promise<Result> {
    if (waiting) {
      waiting.patch = combinePatches(waiting.patch, patch)
      return waiting.sent
    }
    const sent = sendAfter(running)
    waiting = { patch, isUrgent: false, sent }
    running = sent.catch(() => {})
    return sent
  }

  function changeNow(patch: Patch): Promise<Result> {
    const sent = change(patch)
    if (waiting) waiting.isUrgent = true
    endPause()
    return sent
  }

  return { change, changeNow }
}

// One JSON merge patch with the effect of both; a null in it still clears.
export function combinePatches(first: Patch, second: Patch): Patch {
  const both = { ...first }
  for (const [member, value] of Object.entries(second)) {
    const earlier = both[member]
    both[member] = isObject(value) && isObject(earlier) ? combinePatches(earlier, value) : value
  }
  return both
}

const isObject = (value: unknown): value is Patch =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
