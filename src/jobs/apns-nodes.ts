// Which nodes can push to Apple devices. A node with an APNs key registers itself in the database; nodes without one leave
// jobs that may push to Apple devices to it. If no node has a key, such a push is rejected at once, as on a single server.
import { type Instant, plusSeconds } from '../domain/instant.ts'
import type { Context } from '../operations/context.ts'
import { CHANNEL_NODES_TOPIC, findChannelNodeSeenAt, recordChannelNode } from '../store/channel-nodes.ts'

export type ApnsNodes = {
  // Returns true if this node has no key and another node has one.
  areElsewhere(): boolean
  stop(): void
}

// A node with a key registers every minute; a node without one reads as often, and when a signal tells it to.
const EVERY_MS = 60_000
// A node seen within this time is expected back: pushes wait for it instead of being rejected.
const EXPECTED_BACK_SECONDS = 3600

// On an embedded database there are no other nodes.
export const SINGLE_NODE: ApnsNodes = { areElsewhere: () => false, stop: () => {} }

export async function joinApnsNodes(ctx: Context, hasKey: boolean): Promise<ApnsNodes> {
  const { db, clock, log } = ctx
  let seenAt: Instant | undefined
  let cancelTimer = () => {}
  let isStopped = false

  const registerOrRead = async () => {
    const now = clock.now()
    if (hasKey) await db.transact((tx) => recordChannelNode(tx, 'apns', now))
    else seenAt = await findChannelNodeSeenAt(db.read, 'apns')
  }
  const attempt = () =>
    registerOrRead().catch((error) => log.warn({ err: error }, 'cannot tell which nodes have an APNs key'))
  // The timer is set again only after an attempt has ended, so attempts do not pile up if the database is slow.
  function repeat() {
    cancelTimer = clock.wakeAfter(EVERY_MS, () => void attempt().then(() => isStopped || repeat()))
  }

  await registerOrRead()
  repeat()
  const unsubscribe = hasKey ? () => {} : db.signals.subscribe(CHANNEL_NODES_TOPIC, attempt)
  return {
    areElsewhere: () => seenAt !== undefined && clock.now() < plusSeconds(seenAt, EXPECTED_BACK_SECONDS),
    stop() {
      isStopped = true
      unsubscribe()
      cancelTimer()
    },
  }
}
