// A worker on a real database, with scripted jobs and a clock that the test moves.
import { expect, onTestFinished } from 'vitest'
import { JOB_RETRY_SECONDS, type JobKind, type Jobs } from '../../src/domain/jobs.ts'
import { SINGLE_NODE } from '../../src/jobs/channel-nodes.ts'
import { RENEWAL_MS } from '../../src/jobs/leases.ts'
import type { JobTypes } from '../../src/jobs/registry.ts'
import { createWorker, type Worker } from '../../src/jobs/worker.ts'
import type { JobContext } from '../../src/operations/context.ts'
import type { JobResult } from '../../src/operations/job-result.ts'
import { NO_METRICS } from '../../src/runtime/metrics/metrics.ts'
import { NO_TRACING } from '../../src/runtime/tracing/tracing.ts'
import type { Database, Writer } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { enqueueJob, type Job, type NewJob } from '../../src/store/jobs.ts'
import { openTestDatabase } from './database/open-database.ts'
import { eventually } from './eventually.ts'
import { createMemoryLog } from './fakes/memory-log.ts'
import { createTestClock, type TestClock } from './fakes/test-clock.ts'

export type Run = (job: Job) => Promise<JobResult>
export type Node = {
  db: Database
  worker: Worker
  logged: string[]
  ran: Job[]
  // The payloads of jobs that were given up.
  givenUp: Jobs[JobKind][]
  sleepsMs: number[]
  isClockRight: boolean
}

export const DONE: JobResult = { done: true }
export const POLL_SECONDS = 1

// Two kinds stand for all others. The rig's worker runs what the test says instead of their operations, so their payloads
// have the members that the test needs. Jobs of SHARED have a lock key, and so are settled in batches.
export const PROBE = 'play-demo'
export const SHARED = 'send-schedule'
export const probe = (members: object = {}) => ({ kind: PROBE, payload: members as Jobs[typeof PROBE] }) as const
export const shared = (userId: string) => ({ kind: SHARED, payload: { userId } as Jobs[typeof SHARED] }) as const

// A worker whose jobs do what the test says. `isStalled`: it renews no lease.
export function startNode(db: Database, clock: TestClock, run: Run = async () => DONE, isStalled = false): Node {
  const node: Node = {
    db,
    worker: undefined as unknown as Worker,
    logged: [],
    ran: [],
    givenUp: [],
    sleepsMs: [],
    isClockRight: true,
  }
  const { log, lines } = createMemoryLog()
  const watched: TestClock = {
    ...clock,
    wakeAfter(delayMs, wake) {
      if (delayMs === RENEWAL_MS) return isStalled ? () => {} : clock.wakeAfter(delayMs, wake)
      node.sleepsMs.push(delayMs)
      return clock.wakeAfter(delayMs, wake)
    },
  }
  const probing = {
    giveUp: async (_: Writer, payload: Jobs[JobKind]) => {
      node.givenUp.push(payload)
    },
    run: (_: JobContext, job: Job) => {
      node.ran.push(job)
      return run(job)
    },
  }
  const all = Object.fromEntries(Object.keys(JOB_RETRY_SECONDS).map((kind) => [kind, probing])) as Record<
    JobKind,
    typeof probing
  >
  const types = {
    ...all,
    [SHARED]: { ...probing, lockKey: ({ userId }: Jobs[typeof SHARED]) => userId },
    housekeeping: { run: async () => DONE },
  } satisfies JobTypes
  // All that a worker and these jobs look at.
  const ctx: Partial<JobContext> = { db, clock: watched, log, metrics: NO_METRICS, tracing: NO_TRACING }
  node.worker = createWorker({
    ctx: ctx as JobContext,
    nodes: { apns: SINGLE_NODE, bark: SINGLE_NODE, smtp: SINGLE_NODE },
    clockWatch: { isRight: () => node.isClockRight, check: async () => {} },
    types,
  })
  node.logged = lines
  onTestFinished(() => node.worker.stop())
  return node
}

export async function startAlone(run?: Run) {
  const { db, database } = await openTestDatabase()
  const clock = createTestClock()
  return { ...startNode(db, clock, run), clock, database }
}

// Every start first runs housekeeping and then sleeps.
export async function startAndSettle({ worker, sleepsMs, logged }: Node): Promise<void> {
  worker.start()
  await eventually(() => expect(logged.map((line) => JSON.parse(line).job)).toContain('housekeeping'))
  await asleep({ sleepsMs })
}

// No due job is left, and the worker has set its timer to the poll interval.
export const asleep = ({ sleepsMs }: Pick<Node, 'sleepsMs'>) =>
  eventually(() => expect(sleepsMs.at(-1)).toBe(POLL_SECONDS * 1000))

// A signal from another connection can make the worker look for jobs just before the clock moves, so the clock keeps
// moving until the check holds.
export const asTimePasses = (clock: TestClock, seconds: number, check: () => void) =>
  eventually(() => {
    clock.advanceSeconds(seconds)
    check()
  })

export const enqueue = (db: Database, clock: TestClock, job: Partial<NewJob<JobKind>> = {}) =>
  db.transact((tx) => enqueueJob<JobKind>(tx, { ...probe(), runAt: clock.now(), ...job }))

export async function kinds(db: Database): Promise<string[]> {
  return (await db.read.all<{ kind: string }>(sql`select kind from jobs order by id`)).map(({ kind }) => kind)
}

export const outcomes = ({ logged }: Pick<Node, 'logged'>) =>
  logged
    .map((line) => JSON.parse(line))
    .filter(({ job }) => job === PROBE || job === SHARED)
    .map(({ outcome }) => outcome)

export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}
