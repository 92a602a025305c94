// A worker on a real database, with jobs that do what the test says and a clock that only the test moves.
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
  // Those whose type was told that they are given up.
  givenUp: Job[]
  sleepsMs: number[]
}

export const DONE: JobResult = { done: true }
export const POLL_SECONDS = 1

// A worker whose jobs of the kinds 'probe' and 'shared' do what the test says, and are retried after 10 and then 20
// seconds. Those of 'shared' say what they lock, and so are settled together. `isStalled`: it renews no lease.
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
  // All that a worker and these jobs look at.
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

// The first thing that happens on every start is its housekeeping; the second that it sleeps.
export async function startAndSettle({ worker, sleepsMs, logged }: Node): Promise<void> {
  worker.start()
  await eventually(() => expect(logged.map((line) => JSON.parse(line).job)).toContain('housekeeping'))
  await asleep({ sleepsMs })
}

// Nothing due is left and the worker has set its alarm to the poll.
export const asleep = ({ sleepsMs }: Pick<Node, 'sleepsMs'>) =>
  eventually(() => expect(sleepsMs.at(-1)).toBe(POLL_SECONDS * 1000))

// A hint from another connection may arrive at any moment and make the worker look just before the clock moves; so it
// moves until what it should bring about has happened.
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
