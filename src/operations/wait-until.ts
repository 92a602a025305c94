// Holds a request until there is a result. It takes one of the account's few slots, holds no database connection, is
// woken by signals, and polls once a second because signals may be lost.
import { Problem } from '../contract/problems.ts'
import { type Caller, senderOf } from '../domain/caller.ts'
import { newUuid } from '../runtime/ids.ts'
import { revocationTopic } from '../store/accounts/tokens.ts'
import { countOpenWaits, deleteOpenWait, insertOpenWait, renewOpenWait, type WaitHolder } from '../store/open-waits.ts'
import { requireStillValid } from './authenticate.ts'
import type { Context } from './context.ts'
import { createWakeup, POLL_MS } from './wakeup.ts'

export type Wait = {
  seconds: number
  // Held requests and tool calls of agents have slots of their own; a request unless it says otherwise.
  heldBy?: WaitHolder
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
  const id = await takeSlot(ctx, caller, wait.heldBy ?? 'request')
  const renew = () => ctx.db.transact((tx) => renewOpenWait(tx, caller.userId, id, ctx.clock.now()))
  ctx.metrics.heldChanged('waits', 1)
  try {
    return await hold(ctx, caller, { ...wait, renew }, look)
  } finally {
    ctx.metrics.heldChanged('waits', -1)
    await ctx.db.transact((tx) => deleteOpenWait(tx, caller.userId, id))
  }
}

async function takeSlot(ctx: Context, caller: Caller, heldBy: WaitHolder): Promise<string> {
  const { userId, keyId } = senderOf(caller)
  const wait = { id: newUuid(), userId, heldBy, keyId }
  const { agentWaits, agentWaitsPerKey } = ctx.config
  const { open_waits: most } = caller.plan.caps
  await ctx.db.transact(async (tx) => {
    const now = ctx.clock.now()
    const { ofAccount, ofKey } = await countOpenWaits(tx, wait, now)
    if (heldBy === 'request' && ofAccount >= most) {
      throw noSlot(`An account holds at most ${most} requests open; ask again in a moment.`)
    }
    if (heldBy === 'agent' && keyId !== null && ofKey >= agentWaitsPerKey) {
      throw noSlot(`At most ${agentWaitsPerKey} calls of one key wait for a person at a time.`)
    }
    if (heldBy === 'agent' && ofAccount >= agentWaits) {
      throw noSlot(`At most ${agentWaits} calls of one account wait for a person at a time.`)
    }
    insertOpenWait(tx, wait, now)
  })
  return wait.id
}

const noSlot = (detail: string) => new Problem('answer_wait.limit_exceeded', detail, { retry_after_ms: 2000 })

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
