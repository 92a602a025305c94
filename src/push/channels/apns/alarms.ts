// Rate-limited log lines for operators: the first of a reason at once, then one every 15 minutes with the count.
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
