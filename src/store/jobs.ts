// What must happen later, as rows. A job is claimed by moving `run_at` to the end of a lease: a node that dies simply
// never moves it again, and the job falls due for the others. `attempt` counts claims and is the fencing number:
// whoever held an older one changes nothing any more.
import { type Instant, instant, plusSeconds } from '../domain/instant.ts'
import type { Reader, Writer } from './engine/database.ts'
import { list, SKIP_LOCKED, sql } from './engine/sql.ts'

export type JobId = number & { readonly of: 'job' }
export type NewJob = { kind: string; payload: unknown; runAt: Instant; key?: string }
// `known` spares a job that begins at once the reading of what its maker has in hand; it is not stored.
export type Job = { id: JobId; kind: string; payload: unknown; attempt: number; known?: unknown }

export const JOBS_TOPIC = 'jobs'

// The worker renews the leases of jobs that run for longer, so only a node that died or stands still loses one.
export const LEASE_SECONDS = 15
// How many ids one statement lists: statements of each length are prepared once and kept.
const AT_ONCE = 50

// While a job with the same key waits, a second one collapses into it. Touching the waiting row keeps a node that is
// about to claim it off until our change is committed, so that it runs with what we wrote.
export async function enqueueJob(tx: Writer, job: NewJob): Promise<void> {
  tx.queue(sql`insert into jobs (kind, key, payload, run_at, attempt)
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

// How many jobs of a kind the claimer has room for.
export type Wanted = { kind: string; limit: number }

// The jobs that have been due longest, of the wanted kinds only: each kind is read from its own part of the index, so
// jobs of a kind that nobody has room for are never looked at. A claimed job gives up its key, so that a change which
// arrives while it runs enqueues afresh.
export async function claimDueJobs(tx: Writer, wanted: Wanted[], limit: number, now: Instant): Promise<Job[]> {
  const [first, ...more] = wanted.map(
    (one) => sql`select id, run_at from (select id, run_at from jobs where kind = ${one.kind} and run_at <= ${now}
      order by run_at limit ${one.limit} ${SKIP_LOCKED}) as of_a_kind`,
  )
  if (!first) return []
  const candidates = more.reduce((all, ofAKind) => sql`${all} union all ${ofAKind}`, first)
  // In a CTE of its own: PostgreSQL may run a plain subquery once per row, and then claims far more than the limit.
  const rows = await tx.all<JobRow>(sql`with due as materialized
      (select id from (${candidates}) as candidates order by run_at limit ${limit})
    update jobs set attempt = attempt + 1, run_at = ${plusSeconds(now, LEASE_SECONDS)}, key = null
    where id in (select id from due) returning id, kind, payload, attempt`)
  return rows.map(toJob)
}

// Gives back jobs that were claimed and not begun: the claim does not count as an attempt.
export async function unclaimJobs(tx: Writer, jobs: readonly Job[], runAt: Instant): Promise<void> {
  for (const { attempt, ids } of byAttempt(jobs)) {
    tx.queue(sql`update jobs set run_at = ${runAt}, attempt = attempt - 1
      where attempt = ${attempt} and id in (${list(ids)})`)
  }
  tx.signal(JOBS_TOPIC)
}

// A job that has postponed itself beyond the new end keeps its own time.
export async function renewLeases(tx: Writer, jobs: readonly Job[], now: Instant): Promise<void> {
  const end = plusSeconds(now, LEASE_SECONDS)
  for (const { attempt, ids } of byAttempt(jobs)) {
    tx.queue(
      sql`update jobs set run_at = ${end} where attempt = ${attempt} and run_at < ${end} and id in (${list(ids)})`,
    )
  }
}

// False: the lease of one had lapsed and someone else has it now.
export async function deleteJobs(tx: Writer, jobs: readonly Job[]): Promise<boolean> {
  const deletions = byAttempt(jobs).map(({ attempt, ids }) =>
    tx.execute(sql`delete from jobs where attempt = ${attempt} and id in (${list(ids)})`),
  )
  const deleted = await Promise.all(deletions)
  return deleted.reduce((sum, count) => sum + count, 0) === jobs.length
}

export const deleteJob = (tx: Writer, job: Job): Promise<boolean> => deleteJobs(tx, [job])

// False: the lease had lapsed and someone else has the job now.
export async function postponeJob(tx: Writer, job: Job, runAt: Instant, payload = job.payload): Promise<boolean> {
  const payloadNow = payload === job.payload ? sql`` : sql`, payload = ${JSON.stringify(payload)}`
  const changed = await tx.execute(sql`update jobs set run_at = ${runAt} ${payloadNow}
    where id = ${job.id} and attempt = ${job.attempt}`)
  return changed === 1
}

// Only those that still wait: a claimed one has given up its key, and ends by itself when it finds nothing to do.
export async function deleteWaitingJobs(tx: Writer, keys: string[]): Promise<void> {
  if (keys.length > 0) tx.queue(sql`delete from jobs where key in (${list(keys)})`)
}

// When the first job of each kind is due. Jumps from kind to kind in the index, however many jobs there are of each.
export async function listFirstRunAts(db: Reader): Promise<{ kind: string; runAt: Instant }[]> {
  const rows = await db.all<{ kind: string; run_at: number }>(sql`with recursive kinds (kind) as (
      select min(kind) from jobs
      union all select (select min(jobs.kind) from jobs where jobs.kind > kinds.kind) from kinds where kind is not null)
    select kind, (select min(run_at) from jobs where jobs.kind = kinds.kind) as run_at from kinds where kind is not null`)
  return rows.map(({ kind, run_at }) => ({ kind, runAt: instant(run_at) }))
}

export async function findNextRunAt(db: Reader): Promise<Instant | undefined> {
  const firsts = (await listFirstRunAts(db)).map(({ runAt }) => runAt)
  return firsts.length === 0 ? undefined : instant(Math.min(...firsts))
}

// In lists that one statement can name.
function byAttempt(jobs: readonly Job[]): { attempt: number; ids: JobId[] }[] {
  return [...Map.groupBy(jobs, (job) => job.attempt)].flatMap(([attempt, some]) => {
    const lists = []
    for (let i = 0; i < some.length; i += AT_ONCE) {
      lists.push({ attempt, ids: some.slice(i, i + AT_ONCE).map(({ id }) => id) })
    }
    return lists
  })
}

type JobRow = { id: number; kind: string; payload: string; attempt: number }

const toJob = (row: JobRow): Job => ({
  id: row.id as JobId,
  kind: row.kind,
  payload: JSON.parse(row.payload),
  attempt: row.attempt,
})
