// Waits until an event was written to the event stream of a device, on any node.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import { findWritten, streamTopic } from '../../store/events/streams.ts'
import type { Context } from '../context.ts'
import { createWakeup, POLL_MS } from '../wakeup.ts'

// `not_connected`: the device has no open stream that delivers the event. `stalled`: its stream is open but does not
// read.
export type StreamOutcome = 'written' | 'not_connected' | 'stalled'

export async function untilWritten(
  ctx: Context,
  which: { userId: UserId; deviceId: DeviceId; event: number },
  patienceMs: number,
): Promise<StreamOutcome> {
  const endMs = ctx.clock.monotonicMs() + patienceMs
  const wakeup = createWakeup(ctx, [streamTopic(which.userId, which.deviceId)])
  try {
    for (;;) {
      const written = await findWritten(ctx.db.read, which, ctx.clock.now())
      if (written === undefined) return 'not_connected'
      if (written >= which.event) return 'written'
      const leftMs = endMs - ctx.clock.monotonicMs()
      if (leftMs <= 0) return 'stalled'
      await wakeup.woken(Math.min(leftMs, POLL_MS))
    }
  } finally {
    wakeup.end()
  }
}
