// Claims due jobs of every kind, as a node does that then dies or hangs.
import type { Instant } from '../../../src/domain/instant.ts'
import type { Writer } from '../../../src/store/engine/database.ts'
import { claimDueJobs, type Job, listFirstRunAts } from '../../../src/store/jobs.ts'

export async function claimAnyJobs(tx: Writer, limit: number, now: Instant): Promise<Job[]> {
  const kinds = await listFirstRunAts(tx)
  return claimDueJobs(
    tx,
    kinds.map(({ kind }) => ({ kind, limit })),
    limit,
    now,
  )
}
