// Holds a request until something is there to answer. Takes one of the account's few slots, holds no connection to the
// database, wakes by signal, and looks by itself once a second because signals are only hints.
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import { newUuid } from '../runtime/ids.ts'
import { deleteOpenWait, insertOpenWait } from '../store/open-waits.ts'
import { requireStillValid } from './authenticate.ts'
import type { Context } from './context.ts'

export type Wait = {
  seconds: number
  // Aborted when the client hangs up.
  gone: AbortSignal
  topics: string[]
}

const POLL_MS = 1000

export async function waitUntil<Value>(
  ctx: Context,
  caller: Caller,
  wait: Wait,
  look: () => Promise<{ value: Value; isFinal: boolean }>,
): Promise<Value> {
  const id = newUuid()
  const free = await ctx.db.transact((tx) => insertOpenWait(tx, caller.userId, id, LIMITS.openWaits, ctx.clock.now()))
  if (!free) {
    throw new Problem(
      'answer_wait.limit_exceeded',
      `An account holds at most ${LIMITS.openWaits} requests open; ask again in a moment.`,
      { retry_after_ms: 2000 },
    )
  }
  try {
    return await hold(ctx, caller, wait, look)
  } finally {
    await ctx.db.transact((tx) => deleteOpenWait(tx, caller.userId, id))
  }
}

async function hold<Value>(
  ctx: Context,
  caller: Caller,
  wait: Wait,
  look: () => Promise<{ value: Value; isFinal: boolean }>,
): Promise<Value> {
  const bell = createBell(ctx, wait)
  try {
    for (;;) {
      const { value, isFinal } = await look()
      if (isFinal || bell.isOver()) return value
      await bell.rung()
      // A token that was revoked meanwhile gets nothing more.
      await requireStillValid(ctx, caller)
    }
  } finally {
    bell.end()
  }
}

// Rings for a signal, the poll, the end of the time, the client hanging up and the server stopping.
function createBell(ctx: Context, { seconds, gone, topics }: Wait) {
  const endMs = ctx.clock.monotonicMs() + seconds * 1000
  let ring = () => {}
  let rung = new Promise<void>((resolve) => (ring = resolve))
  const strike = () => ring()
  const isOver = () => gone.aborted || ctx.stopping.aborted || ctx.clock.monotonicMs() >= endMs
  let cancelTimer = () => {}
  const tick = () => {
    const leftMs = Math.max(endMs - ctx.clock.monotonicMs(), 0)
    cancelTimer = ctx.clock.wakeAfter(Math.min(leftMs, POLL_MS), () => {
      strike()
      if (!isOver()) tick()
    })
  }
  tick()
  const unsubscribes = topics.map((topic) => ctx.db.signals.subscribe(topic, strike))
  gone.addEventListener('abort', strike)
  ctx.stopping.addEventListener('abort', strike)
  return {
    isOver,
    async rung() {
      await rung
      rung = new Promise((resolve) => (ring = resolve))
    },
    end() {
      cancelTimer()
      for (const unsubscribe of unsubscribes) unsubscribe()
      gone.removeEventListener('abort', strike)
      ctx.stopping.removeEventListener('abort', strike)
    },
  }
}
