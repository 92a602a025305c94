// Settles jobs that ran: deletes or postpones each and writes what it records, in one transaction. Jobs that end in the
// same turn of the event loop share a transaction if their kind has lock keys.
//
//   run ends ── no lock key ──────────────────────────────> transaction of its own
//        └──── lock key ──> batch of this turn ──> shared transaction ── fails ──> each in a transaction of its own
import type { JobKind } from '../domain/jobs.ts'
import type { Context } from '../operations/context.ts'
import type { JobResult } from '../operations/job-result.ts'
import type { Writer } from '../store/engine/database.ts'
import { deleteJobs, type Job, postponeJob } from '../store/jobs.ts'

type Run = { job: Job; result: JobResult<JobKind> }

// `lockKey`: see JobType. Returns false if the lease has lapsed and another claim holds the job.
export type Settle = (run: Run, lockKey: string | undefined) => Promise<boolean>

type Unsettled = { run: Run; lockKey: string; resolve: (isOurs: boolean | Promise<boolean>) => void }

export function createSettling({ db }: Pick<Context, 'db'>): Settle {
  let unsettled: Unsettled[] = []

  const settleInOne = (runs: Run[]) =>
    db.transact((tx) => Promise.all([releaseJobs(tx, runs), ...runs.map(({ result }) => result.record?.(tx))]))

  const settleAlone = (run: Run) =>
    settleInOne([run]).then(
      () => true,
      (error) => {
        if (error !== LEASE_LAPSED) throw error
        return false
      },
    )

  // If one job fails the shared transaction, each is settled alone.
  async function settleBatch(batch: Unsettled[]) {
    const runs = batch.map(({ run }) => run)
    const areSettled = runs.length > 1 && (await succeeds(settleInOne(runs)))
    for (const { run, resolve } of batch) resolve(areSettled || settleAlone(run))
  }

  function settleAll() {
    const batches = batchByLock(unsettled, ({ lockKey }) => lockKey)
    unsettled = []
    for (const batch of batches) void settleBatch(batch)
  }

  return (run, lockKey) => {
    if (lockKey === undefined) return settleAlone(run)
    // nextTick runs after the jobs that end in this turn have been added.
    if (unsettled.length === 0) process.nextTick(settleAll)
    return new Promise((resolve) => unsettled.push({ run, lockKey, resolve }))
  }
}

// The records are written at the same time, which saves a round trip; an error here rolls them back.
async function releaseJobs(tx: Writer, runs: Run[]): Promise<void> {
  const done = runs.filter(({ result }) => 'done' in result).map(({ job }) => job)
  const postponed = runs.map(({ job, result }) => 'done' in result || postpone(tx, job, result))
  const areOurs = await Promise.all([deleteJobs(tx, done), ...postponed])
  if (areOurs.includes(false)) throw LEASE_LAPSED
}

function postpone(tx: Writer, job: Job, result: Exclude<JobResult<JobKind>, { done: true }>): Promise<boolean> {
  if ('untriedUntil' in result) return postponeJob(tx, job, result.untriedUntil, { countsAs: 'neither' })
  const { payload } = result
  return 'again' in result
    ? postponeJob(tx, job, result.again, { payload, countsAs: 'success' })
    : postponeJob(tx, job, result.retryAt, { payload })
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

const LEASE_LAPSED = new Error('the lease of the job has lapsed')

// When one job fails a transaction, all of its jobs are settled again, each alone. This bounds how many.
const MOST_IN_A_BATCH = 25

// Groups finished jobs into transactions. Two jobs with the same lock key never share one, and the keys of a transaction are in
// ascending order, so two nodes cannot deadlock.
export function batchByLock<Item>(items: Item[], lockKeyOf: (item: Item) => string): Item[][] {
  const batches: Item[][] = []
  for (const [, sameKey] of [...Map.groupBy(items, lockKeyOf)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    let last = -1
    for (const item of sameKey) {
      const open = batches.findIndex((batch, index) => index > last && batch.length < MOST_IN_A_BATCH)
      last = open === -1 ? batches.push([item]) - 1 : open
      if (open !== -1) batches[open]?.push(item)
    }
  }
  return batches
}
