// What an operator must see, without a line per push: the first of a kind at once, then one a quarter of an hour with the count.
import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'

const QUIET_MS = 15 * 60_000

export type Alarm = (reason: string, message: string) => void

export function createAlarm(clock: Clock, log: Log): Alarm {
  const raised = new Map<string, { atMs: number; unreported: number }>()
  return (reason, message) => {
    const nowMs = clock.monotonicMs()
    const last = raised.get(reason)
    if (last && nowMs - last.atMs < QUIET_MS) {
      last.unreported += 1
      return
    }
    log.error({ reason, times: 1 + (last?.unreported ?? 0) }, message)
    raised.set(reason, { atMs: nowMs, unreported: 0 })
  }
}
