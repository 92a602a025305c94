// Shares jobs out among transactions: at most one of an account in each. A transaction that had locked rows of an account
// for one job could else wait for rows of its next, while whoever has those waits for it. In the order of the accounts, so
// that two nodes which lock rows of the same ones do not wait for each other.
import type { UserId } from '../domain/caller.ts'
import { groupedBy } from '../domain/grouped-by.ts'
import type { Job } from '../store/jobs.ts'

// Bounds how many must be run again, each alone, when one of them fails.
const SETTLED_TOGETHER = 25

export type Batch = [Job, ...Job[]]

export function batchesOf(jobs: Job[], accountOf: (job: Job) => UserId): Batch[] {
  const batches: Batch[] = []
  for (const [, itsJobs] of [...groupedBy(jobs, accountOf)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    let last = -1
    for (const job of itsJobs) {
      const open = batches.findIndex((batch, index) => index > last && batch.length < SETTLED_TOGETHER)
      last = open === -1 ? batches.push([job]) - 1 : open
      if (open !== -1) batches[open]?.push(job)
    }
  }
  return batches
}
