// The event streams that this process holds open. Each has a row with a lease, so that the limit of the account holds
// on all nodes, and a send on another node sees how far a device has read. One statement renews all leases of the
// process.
import { Problem } from '../../contract/problems.ts'
import type { Clock } from '../../runtime/clock.ts'
import { newUuid } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics/metrics.ts'
import type { Database } from '../../store/engine/database.ts'
import {
  deleteEventStream,
  insertEventStream,
  renewEventStreams,
  STREAM_RENEWAL_SECONDS,
  updateWritten,
} from '../../store/events/streams.ts'
import type { OpenStreams } from '../context.ts'

type StreamParts = { clock: Clock; db: Database; log: Log; metrics: Metrics }

export function createOpenStreams({ clock, db, log, metrics }: StreamParts): OpenStreams {
  const node = newUuid()
  let count = 0
  let isRenewalSet = false

  // The timer is set again only after a renewal has ended, so renewals do not pile up if the database is slow or the clock
  // jumps.
  function renewLater() {
    if (isRenewalSet || count === 0) return
    isRenewalSet = true
    clock.wakeAfter(STREAM_RENEWAL_SECONDS * 1000, () => void renew())
  }

  async function renew(): Promise<void> {
    if (count > 0) {
      // The time of the transaction: it may begin late.
      await attempt('renew the leases of event streams', () =>
        db.transact((tx) => renewEventStreams(tx, node, clock.now())),
      )
    }
    isRenewalSet = false
    renewLater()
  }

  // A failure is only logged: a lease that is neither renewed nor deleted lapses.
  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error) => log.warn({ err: error }, `cannot ${what}`))
  }

  return {
    async open({ userId, plan }, deviceId, beginsAfter) {
      const stream = { id: newUuid(), node, userId, deviceId, beginsAfter }
      const isOpen = await db.transact((tx) => insertEventStream(tx, stream, plan.caps.event_streams, clock.now()))
      if (!isOpen) throw limitExceeded(plan.caps.event_streams)
      count += 1
      renewLater()
      metrics.heldChanged('streams', 1)
      return {
        async noteWritten(event) {
          // Only sends to a device read it.
          if (deviceId) await db.transact((tx) => updateWritten(tx, stream, event))
        },
        async close() {
          count -= 1
          metrics.heldChanged('streams', -1)
          await attempt('delete an event stream', () => db.transact((tx) => deleteEventStream(tx, stream)))
        },
      }
    },
  }
}

const limitExceeded = (most: number) =>
  new Problem('event_stream.limit_exceeded', `An account has at most ${most} event streams open; close one first.`)
