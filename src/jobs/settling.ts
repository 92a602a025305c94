// Ends jobs that ran: deletes or postpones them and writes what they recorded, in one transaction. Jobs which end in the
// same turn of the event loop share it, where their kind allows that.
import type { Context } from '../operations/context.ts'
import type { Writer } from '../store/engine/database.ts'
import { deleteJobs, type Job, postponeJob } from '../store/jobs.ts'
import { batchesOf } from './batches.ts'
import type { JobResult } from './job.ts'

type Run = { job: Job; result: JobResult }

// `lock`: see JobType.lockOf. False: the lease had lapsed, and someone else has the job.
export type Settle = (run: Run, lock: string | undefined) => Promise<boolean>

type Ending = { run: Run; lock: string; resolve: (isOurs: boolean | Promise<boolean>) => void }

export function createSettling({ db }: Pick<Context, 'db'>): Settle {
  let endings: Ending[] = []

  const settle = (runs: Run[]) =>
    db.transact((tx) => Promise.all([release(tx, runs), ...runs.map(({ result }) => result.record?.(tx))]))

  const settleAlone = (run: Run) =>
    settle([run]).then(
      () => true,
      (error) => {
        if (error !== NOT_OURS) throw error
        return false
      },
    )

  // If one of them spoils the transaction, each goes its own way.
  async function settleBatch(batch: Ending[]) {
    const runs = batch.map(({ run }) => run)
    const areSettled = runs.length > 1 && (await succeeds(settle(runs)))
    for (const { run, resolve } of batch) resolve(areSettled || settleAlone(run))
  }

  function settleAll() {
    const batches = batchesOf(endings, ({ lock }) => lock)
    endings = []
    for (const batch of batches) void settleBatch(batch)
  }

  return (run, lock) => {
    if (lock === undefined) return settleAlone(run)
    // A tick comes after all that follows from what this turn has brought.
    if (endings.length === 0) process.nextTick(settleAll)
    return new Promise((resolve) => endings.push({ run, lock, resolve }))
  }
}

// What is recorded is begun before we know whether the jobs are still ours, which saves a round trip; if one is not, all
// is undone.
async function release(tx: Writer, runs: Run[]): Promise<void> {
  const done = runs.filter(({ result }) => 'done' in result).map(({ job }) => job)
  const again = runs.map(({ job, result }) => 'done' in result || postponeJob(tx, job, result.again, result.payload))
  const areOurs = await Promise.all([deleteJobs(tx, done), ...again])
  if (areOurs.includes(false)) throw NOT_OURS
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

const NOT_OURS = new Error('the lease had lapsed, and someone else has the job')
