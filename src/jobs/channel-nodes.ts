// Which nodes have the credentials of a channel: an APNs key, or a mail server. A node with them registers itself in the
// database; nodes without them leave jobs of the channel to it. If no node has them, a node without them runs the jobs, which
// fail at once as on a single server.
import { type Instant, plusSeconds } from '../domain/instant.ts'
import type { Context } from '../operations/context.ts'
import { CHANNEL_NODES_TOPIC, findChannelNodeSeenAt, type NodeChannel, recordChannelNode } from '../store/server.ts'

export type ChannelNodes = {
  // Returns true if this node has no credentials and another node has.
  areElsewhere(): boolean
  stop(): void
}

// A node with credentials registers every minute; a node without them reads as often, and when a signal tells it to.
const EVERY_MS = 60_000
// A node seen within this time is expected back: jobs wait for it instead of failing.
const EXPECTED_BACK_SECONDS = 3600

// On an embedded database there are no other nodes.
export const SINGLE_NODE: ChannelNodes = { areElsewhere: () => false, stop: () => {} }

export async function joinChannelNodes(
  ctx: Context,
  channel: NodeChannel,
  hasCredentials: boolean,
): Promise<ChannelNodes> {
  const { db, clock, log } = ctx
  let seenAt: Instant | undefined
  let cancelTimer = () => {}
  let isStopped = false

  const registerOrRead = async () => {
    const now = clock.now()
    if (hasCredentials) await db.transact((tx) => recordChannelNode(tx, channel, now))
    else seenAt = await findChannelNodeSeenAt(db.read, channel)
  }
  const attempt = () =>
    registerOrRead().catch((error) =>
      log.warn({ err: error, channel }, 'cannot tell which nodes have the credentials of a channel'),
    )
  // The timer is set again only after an attempt has ended, so attempts do not pile up if the database is slow.
  function repeat() {
    cancelTimer = clock.wakeAfter(EVERY_MS, () => void attempt().then(() => isStopped || repeat()))
  }

  await registerOrRead()
  repeat()
  const unsubscribe = hasCredentials ? () => {} : db.signals.subscribe(CHANNEL_NODES_TOPIC, attempt)
  return {
    areElsewhere: () => seenAt !== undefined && clock.now() < plusSeconds(seenAt, EXPECTED_BACK_SECONDS),
    stop() {
      isStopped = true
      unsubscribe()
      cancelTimer()
    },
  }
}
