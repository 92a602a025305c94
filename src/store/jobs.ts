// What must happen later, as rows. A job is claimed by moving `run_at` to the end of a lease: a node that dies simply
// never moves it again, and the job falls due for the others. `attempt` counts claims and is the fencing number:
// whoever held an older one changes nothing any more.
import { groupedBy } from '../domain/grouped-by.ts'
import { type Instant, instant, plusSeconds } from '../domain/instant.ts'
import type { Reader, Writer } from './database.ts'
import { list, SKIP_LOCKED, sql } from './sql.ts'

export type JobId = number & { readonly of: 'job' }
export type NewJob = { kind: string; payload: unknown; runAt: Instant; key?: string }
// `known` spares a job that begins at once the reading of what its maker has in hand; it is not stored.
export type Job = { id: JobId; kind: string; payload: unknown; attempt: number; known?: unknown }

export const JOBS_TOPIC = 'jobs'

// Longer than any job may take, so that only a node that died or stands still loses one.
export const LEASE_SECONDS = 15

// While a job with the same key waits, a second one collapses into it. Touching the waiting row keeps a node that is
// about to claim it off until our change is committed, so that it runs with what we wrote.
export async function enqueueJob(tx: Writer, job: NewJob): Promise<void> {
  tx.write(sql`insert into jobs (kind, key, payload, run_at, attempt)
    values (${job.kind}, ${job.key ?? null}, ${JSON.stringify(job.payload)}, ${job.runAt}, 0)
    on conflict (key) do update set run_at = case when excluded.run_at < jobs.run_at then excluded.run_at else jobs.run_at end`)
  tx.signal(JOBS_TOPIC)
}

// For work that begins at once, here: nobody else claims it unless we die.
export async function enqueueClaimedJob(
  tx: Writer,
  { kind, payload }: Pick<NewJob, 'kind' | 'payload'>,
  now: Instant,
): Promise<Job> {
  const id = await tx.insert<JobId>(sql`insert into jobs (kind, payload, run_at, attempt)
    values (${kind}, ${JSON.stringify(payload)}, ${plusSeconds(now, LEASE_SECONDS)}, 1)`)
  return { id, kind, payload, attempt: 1 }
}

// A claimed job gives up its key, so that a change which arrives while it runs enqueues afresh.
export async function claimDueJobs(tx: Writer, limit: number, now: Instant, otherThan: string[] = []): Promise<Job[]> {
  const wanted = otherThan.length === 0 ? sql`` : sql`and kind not in (${list(otherThan)})`
  // In a CTE of its own: PostgreSQL may run a plain subquery once per row, and then claims far more than the limit.
  const rows = await tx.all<JobRow>(sql`with due as materialized
      (select id from jobs where run_at <= ${now} ${wanted} order by run_at limit ${limit} ${SKIP_LOCKED})
    update jobs set attempt = attempt + 1, run_at = ${plusSeconds(now, LEASE_SECONDS)}, key = null
    where id in (select id from due) returning id, kind, payload, attempt`)
  return rows.map(toJob)
}

// False: the lease of one had lapsed and someone else has it now.
export async function deleteJobs(tx: Writer, jobs: readonly Job[]): Promise<boolean> {
  const deletions = [...groupedBy(jobs, (job) => job.attempt)].map(([attempt, some]) =>
    tx.run(sql`delete from jobs where attempt = ${attempt} and id in (${list(some.map(({ id }) => id))})`),
  )
  const deleted = await Promise.all(deletions)
  return deleted.reduce((sum, count) => sum + count, 0) === jobs.length
}

export const deleteJob = (tx: Writer, job: Job): Promise<boolean> => deleteJobs(tx, [job])

// False: the lease had lapsed and someone else has the job now.
export async function postponeJob(tx: Writer, job: Job, runAt: Instant, payload = job.payload): Promise<boolean> {
  const payloadNow = payload === job.payload ? sql`` : sql`, payload = ${JSON.stringify(payload)}`
  const changed = await tx.run(sql`update jobs set run_at = ${runAt} ${payloadNow}
    where id = ${job.id} and attempt = ${job.attempt}`)
  return changed === 1
}

// Only those that still wait: a claimed one has given up its key, and ends by itself when it finds nothing to do.
export async function deleteWaitingJobs(tx: Writer, keys: string[]): Promise<void> {
  if (keys.length > 0) tx.write(sql`delete from jobs where key in (${list(keys)})`)
}

export async function findNextRunAt(db: Reader): Promise<Instant | undefined> {
  const row = await db.first<{ run_at: number | null }>(sql`select min(run_at) as run_at from jobs`)
  return row?.run_at == null ? undefined : instant(row.run_at)
}

type JobRow = { id: number; kind: string; payload: string; attempt: number }

const toJob = (row: JobRow): Job => ({
  id: row.id as JobId,
  kind: row.kind,
  payload: JSON.parse(row.payload),
  attempt: row.attempt,
})
