// A worker on a real database, with scripted jobs and a clock that the test moves.
import { expect, onTestFinished } from 'vitest'
import { ALONE } from '../../src/jobs/apns-nodes.ts'
import type { Delivery, JobResult, JobType } from '../../src/jobs/job.ts'
import { RENEWAL_MS } from '../../src/jobs/leases.ts'
import { createWorker, type Worker } from '../../src/jobs/worker.ts'
import type { Context } from '../../src/operations/context.ts'
import type { Database } from '../../src/store/engine/database.ts'
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
  // The jobs for which `givenUp` was called.
  givenUp: Job[]
  sleepsMs: number[]
}

export const DONE: JobResult = { done: true }
export const POLL_SECONDS = 1

// A worker that runs jobs of the kinds 'probe' and 'shared' with `run` and retries them after 10 and then 20 seconds.
// Jobs of kind 'shared' have a lock and so are settled in batches. `isStalled`: the worker renews no lease.
export function startNode(db: Database, clock: TestClock, run: Run = async () => DONE, isStalled = false): Node {
  const node: Node = { db, worker: undefined as unknown as Worker, logged: [], ran: [], givenUp: [], sleepsMs: [] }
  const { log, lines } = createMemoryLog()
  const watched: TestClock = {
    ...clock,
    wakeAfter(delayMs, wake) {
      if (delayMs === RENEWAL_MS) return isStalled ? () => {} : clock.wakeAfter(delayMs, wake)
      node.sleepsMs.push(delayMs)
      return clock.wakeAfter(delayMs, wake)
    },
  }
  const probe: JobType = {
    retryAfterSeconds: [10, 20],
    givenUp: async (_, job) => {
      node.givenUp.push(job)
    },
    run: (_, job) => {
      node.ran.push(job)
      return run(job)
    },
  }
  const shared: JobType = { ...probe, lockOf: (job) => (job.payload as { account: string }).account }
  const quiet: JobType = { retryAfterSeconds: [], run: async () => DONE }
  // The parts of the context that the worker and these jobs use.
  const ctx: Partial<Context> = { db, clock: watched, log }
  node.worker = createWorker({ ctx: ctx as Context, apnsNodes: ALONE } as Delivery, {
    probe,
    shared,
    housekeeping: quiet,
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

export const enqueue = (db: Database, clock: TestClock, job: Partial<NewJob> = {}) =>
  db.transact((tx) => enqueueJob(tx, { kind: 'probe', payload: {}, runAt: clock.now(), ...job }))

export async function kinds(db: Database): Promise<string[]> {
  return (await db.read.all<{ kind: string }>(sql`select kind from jobs order by id`)).map(({ kind }) => kind)
}

export const outcomes = ({ logged }: Pick<Node, 'logged'>) =>
  logged
    .map((line) => JSON.parse(line))
    .filter(({ job }) => job === 'probe' || job === 'shared')
    .map(({ outcome }) => outcome)

export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}
