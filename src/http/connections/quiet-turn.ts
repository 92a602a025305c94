// Finds the moment in which sockets can be closed without discarding what the kernel has already taken from clients. A
// listener that is closed resets the connections in its accept queue, and a connection that is closed resets the request in
// its receive buffer. Both are noticed only when the event loop polls, and Node accepts one connection per turn.
import type { Server } from 'node:http'
import { setImmediate as untilNextCheck } from 'node:timers/promises'
import { systemClock } from '../../runtime/clock.ts'

// What arrives after the poll of the turn is lost, so the turn must be short.
const QUIET_TURN_MS = 0.3
// A server with this much to do at every moment is not going to be quiet.
const PATIENCE_MS = 1000

// Resolves at the end of a turn in which the server was polled, did not emit the event and had little else to do.
export async function untilQuietTurn(server: Server, event: 'connection' | 'request'): Promise<void> {
  const { monotonicMs } = systemClock
  let emitted = 0
  const count = () => {
    emitted += 1
  }
  server.on(event, count)
  const startedMs = monotonicMs()
  // Immediates run after the poll of their turn. So a whole poll lies between two of them, but perhaps none before the first.
  await untilNextCheck()
  let isQuiet = false
  while (!isQuiet && monotonicMs() - startedMs < PATIENCE_MS) {
    const [before, turnStartedMs] = [emitted, monotonicMs()]
    await untilNextCheck()
    isQuiet = emitted === before && monotonicMs() - turnStartedMs < QUIET_TURN_MS
  }
  server.off(event, count)
}
