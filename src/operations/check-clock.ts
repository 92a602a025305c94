// Compares this machine's clock with the database's when a node starts, and every minute from then on. Leases are times by the clock of the node that
// claims: a node that is ahead by more than a lease claims jobs that others still run, and sends pushes twice.
import { StartError } from '../domain/errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Database, Reader } from '../store/engine/database.ts'
import { readDatabaseTime } from '../store/engine/probes.ts'

const WARN_MS = 1000
const REFUSE_MS = 5000
// The sample with the shortest round trip counts: the round trip is the error of the measurement.
const SAMPLES = 3

type MeasuringClock = Pick<Clock, 'now' | 'monotonicMs'>
// A node with a failure does not start.
type Skew = { aheadMs: number; severity: 'ok' | 'warning' | 'failure'; inWords: string }

export async function checkClock({ read }: Database, clock: MeasuringClock, log: Log): Promise<void> {
  const skew = await measureSkew(read, clock)
  if (skew.severity === 'failure') throw new StartError(`${skew.inWords}; synchronize both (NTP), then start again`)
  if (skew.severity === 'warning') log.warn({ aheadMs: skew.aheadMs }, `${skew.inWords}; synchronize both (NTP)`)
}

export type ClockWatch = {
  // False while the clock is so far off that the node must not claim jobs.
  isRight(): boolean
  check(): Promise<void>
}

export const CHECK_EVERY_MS = 60_000
export const ALWAYS_RIGHT: ClockWatch = { isRight: () => true, check: async () => {} }

// For a clock that goes wrong while the node runs.
export function watchClock({ read }: Database, clock: MeasuringClock, log: Log): ClockWatch {
  let isRight = true
  return {
    isRight: () => isRight,
    async check() {
      const { aheadMs, severity, inWords } = await measureSkew(read, clock)
      const wasRight = isRight
      isRight = severity !== 'failure'
      if (wasRight && !isRight)
        log.error({ aheadMs }, `${inWords}; this node runs no jobs until both are synchronized (NTP)`)
      if (isRight && !wasRight) log.info({ aheadMs }, 'the clocks agree again; this node runs jobs')
    },
  }
}

export async function measureSkew(db: Reader, clock: MeasuringClock): Promise<Skew> {
  const samples = []
  for (let i = 0; i < SAMPLES; i++) samples.push(await measure(db, clock))
  const { aheadMs } = samples.reduce((best, one) => (one.delayMs < best.delayMs ? one : best))
  const apartMs = Math.abs(aheadMs)
  return {
    aheadMs,
    severity: apartMs > REFUSE_MS ? 'failure' : apartMs > WARN_MS ? 'warning' : 'ok',
    inWords: `this machine's clock is ${(apartMs / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`,
  }
}

async function measure(db: Reader, clock: MeasuringClock) {
  const [before, startedMs] = [clock.now(), clock.monotonicMs()]
  const there = await readDatabaseTime(db)
  const delayMs = clock.monotonicMs() - startedMs
  return { delayMs, aheadMs: Math.round(before + delayMs / 2 - there) }
}
