// Holds a request until there is a result. It takes one of the account's few slots, holds no database connection, is
// woken by signals, and polls once a second because signals may be lost.
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import { newUuid } from '../runtime/ids.ts'
import { revocationTopic } from '../store/accounts/tokens.ts'
import { deleteOpenWait, insertOpenWait, renewOpenWait } from '../store/open-waits.ts'
import { requireStillValid } from './authenticate.ts'
import type { Context } from './context.ts'
import { createWakeup, POLL_MS } from './events/wakeup.ts'

export type Wait = {
  seconds: number
  // Aborted when the client disconnects.
  gone: AbortSignal
  // Called about once a second while there is no result, for callers that report progress.
  stillWaiting?(waitedMs: number): void
}

export type WaitOptions = Wait & {
  // Signals that something may have changed.
  topics: string[]
}

// Gets the caller with its current permissions, and checks them each time.
export type Look<Value> = (caller: Caller) => Promise<{ value: Value; isFinal: boolean }>

// A slot counts as abandoned after a minute, so a longer wait renews it.
const RENEW_MS = 25_000

export async function waitUntil<Value>(
  ctx: Context,
  caller: Caller,
  wait: WaitOptions,
  look: Look<Value>,
): Promise<Value> {
  const id = newUuid()
  const free = await ctx.db.transact((tx) =>
    insertOpenWait(tx, caller.userId, id, LIMITS.wait.maxOpen, ctx.clock.now()),
  )
  if (!free) {
    throw new Problem(
      'answer_wait.limit_exceeded',
      `An account holds at most ${LIMITS.wait.maxOpen} requests open; ask again in a moment.`,
      { retry_after_ms: 2000 },
    )
  }
  const renew = () => ctx.db.transact((tx) => renewOpenWait(tx, caller.userId, id, ctx.clock.now()))
  ctx.metrics.heldChanged('waits', 1)
  try {
    return await hold(ctx, caller, { ...wait, renew }, look)
  } finally {
    ctx.metrics.heldChanged('waits', -1)
    await ctx.db.transact((tx) => deleteOpenWait(tx, caller.userId, id))
  }
}

async function hold<Value>(
  ctx: Context,
  firstCaller: Caller,
  { seconds, gone, topics, stillWaiting, renew }: WaitOptions & { renew(): Promise<void> },
  look: Look<Value>,
): Promise<Value> {
  const startMs = ctx.clock.monotonicMs()
  const endMs = startMs + seconds * 1000
  let renewMs = startMs + RENEW_MS
  const wakeup = createWakeup(ctx, [...topics, revocationTopic(firstCaller.userId)], gone)
  let caller = firstCaller
  try {
    for (;;) {
      const { value, isFinal } = await look(caller)
      const nowMs = ctx.clock.monotonicMs()
      if (isFinal || nowMs >= endMs || gone.aborted || ctx.stopping.aborted) return value
      stillWaiting?.(nowMs - startMs)
      if (nowMs >= renewMs) {
        await renew()
        renewMs = nowMs + RENEW_MS
      }
      await wakeup.woken(Math.min(endMs - nowMs, POLL_MS))
      // The token may have been revoked, or its permissions lowered, since the last look.
      caller = await requireStillValid(ctx, caller)
    }
  } finally {
    wakeup.end()
  }
}
