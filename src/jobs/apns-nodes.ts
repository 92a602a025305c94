// Which of several nodes may push to Apple devices. Nodes with an APNs key say so in the database; nodes without one
// leave pushes to Apple devices to them. Where no node has a key, a push is refused at once, as on a single server.
import { type Instant, plusSeconds } from '../domain/instant.ts'
import type { Context } from '../operations/context.ts'
import { CHANNEL_NODES_TOPIC, findChannelNodeSeenAt, recordChannelNode } from '../store/channel-nodes.ts'

export type ApnsNodes = {
  // Returns true if this node has no key and another one has. This node then leaves jobs that may push to Apple devices.
  areElsewhere(): boolean
  stop(): void
}

// A node with a key says so each minute; nodes without one look as often, and when they are told.
const EVERY_MS = 60_000
// A node that was there within this time is taken to come back: pushes wait for it rather than being refused.
const MISSED_AFTER_SECONDS = 3600

export const ALONE: ApnsNodes = { areElsewhere: () => false, stop: () => {} }

export async function joinApnsNodes(ctx: Context, hasKey: boolean): Promise<ApnsNodes> {
  const { db, clock, log } = ctx
  let seenAt: Instant | undefined
  let cancelTimer = () => {}
  let isStopped = false

  const sayOrLook = async () => {
    const now = clock.now()
    if (hasKey) await db.transact((tx) => recordChannelNode(tx, 'apns', now))
    else seenAt = await findChannelNodeSeenAt(db.read, 'apns')
  }
  const attempt = () =>
    sayOrLook().catch((error) => log.warn({ err: error }, 'cannot tell which nodes have an APNs key'))
  // The next one only after this one has ended: none piles up when the database is slow or the clock jumps.
  function repeat() {
    cancelTimer = clock.wakeAfter(EVERY_MS, () => void attempt().then(() => isStopped || repeat()))
  }

  await sayOrLook()
  repeat()
  const unsubscribe = hasKey ? () => {} : db.signals.subscribe(CHANNEL_NODES_TOPIC, attempt)
  return {
    areElsewhere: () => seenAt !== undefined && clock.now() < plusSeconds(seenAt, MISSED_AFTER_SECONDS),
    stop() {
      isStopped = true
      unsubscribe()
      cancelTimer()
    },
  }
}
