// Jobs as rows. A claim is a lease: it moves `run_at` to the end of the lease, so the job of a node that dies falls due
// for the others. `attempt` counts claims and is the fencing token: statements of an older claim change no row. `failures`
// counts the claims since a run last succeeded: a claim counts as failed until its run says otherwise, because a node that
// dies cannot say so (docs/decisions/0060-failures-of-jobs.md).
import { type Instant, instant, plusSeconds } from '../domain/instant.ts'
import { FAN_OUT_KINDS, isFanOut, isJobKind, type JobKind, type Jobs } from '../domain/jobs.ts'
import type { Reader, Writer } from './engine/database.ts'
import { eachText, list, SKIP_LOCKED, sql } from './engine/sql.ts'

export type JobId = number & { readonly of: 'job' }
// `failures` includes this claim.
export type Job<K extends JobKind = JobKind> = {
  id: JobId
  kind: K
  payload: Jobs[K]
  attempt: number
  failures: number
}
export type NewJob<K extends JobKind> = { kind: K; payload: Jobs[K]; runAt: Instant; key?: string }

export const JOBS_TOPIC = 'jobs'

// The worker renews the leases of jobs that run longer, so a job loses its lease only if its node died or hangs.
export const LEASE_SECONDS = 15
// A job that fails again and again may be what kills its nodes, so they are given time between its claims.
const SUSPECT_FAILURES = 5
const SUSPECT_LEASE_SECONDS = 60
// Ids per statement: a statement is prepared once for each number of ids.
const IDS_PER_STATEMENT = 50

// A job coalesces with a waiting job of the same key, at the earlier of the two times. The update locks the waiting row,
// so a node cannot claim it before our change is committed, and runs it with that change.
export async function enqueueJob<K extends JobKind>(tx: Writer, job: NewJob<K>): Promise<void> {
  const acceptedAt = isFanOut(job.kind) ? job.runAt : null
  tx.queue(sql`insert into jobs (kind, key, payload, run_at, attempt, accepted_at)
    values (${job.kind}, ${job.key ?? null}, ${JSON.stringify(job.payload)}, ${job.runAt}, 0, ${acceptedAt})
    on conflict (key) do update set run_at = case when excluded.run_at < jobs.run_at then excluded.run_at else jobs.run_at end`)
  tx.signal(JOBS_TOPIC)
}

// For a job that this process runs right after the commit. Other nodes claim it only if the lease lapses.
export async function enqueueClaimedJob<K extends JobKind>(
  tx: Writer,
  { kind, payload }: Pick<NewJob<K>, 'kind' | 'payload'>,
  now: Instant,
): Promise<Job<K>> {
  const id = await tx.insert<JobId>(sql`insert into jobs (kind, payload, run_at, attempt, failures)
    values (${kind}, ${JSON.stringify(payload)}, ${plusSeconds(now, LEASE_SECONDS)}, 1, 1)`)
  return { id, kind, payload, attempt: 1, failures: 1 }
}

// Many jobs of a kind without keys, in one statement.
export async function enqueueJobs<K extends JobKind>(
  tx: Writer,
  { kind, payloads, runAt }: { kind: K; payloads: readonly Jobs[K][]; runAt: Instant },
): Promise<void> {
  if (payloads.length === 0) return
  tx.queue(sql`insert into jobs (kind, payload, run_at, attempt)
    select ${kind}, value, ${runAt}, 0 from ${eachText(arrayOfTexts(payloads))}`)
  tx.signal(JOBS_TOPIC)
}

// As enqueueClaimedJob, in one statement.
export async function enqueueClaimedJobs<K extends JobKind>(
  tx: Writer,
  { kind, payloads }: { kind: K; payloads: readonly Jobs[K][] },
  now: Instant,
): Promise<Job<K>[]> {
  if (payloads.length === 0) return []
  const rows = await tx.all<{ id: JobId; payload: string }>(sql`insert into jobs
      (kind, payload, run_at, attempt, failures)
    select ${kind}, value, ${plusSeconds(now, LEASE_SECONDS)}, 1, 1 from ${eachText(arrayOfTexts(payloads))}
    returning id, payload`)
  return rows.map(({ id, payload }) => ({ id, kind, payload: JSON.parse(payload) as Jobs[K], attempt: 1, failures: 1 }))
}

const arrayOfTexts = (payloads: readonly unknown[]): string =>
  JSON.stringify(payloads.map((payload) => JSON.stringify(payload)))

// How many jobs of a kind the claimer has room for.
export type Wanted = { kind: JobKind; limit: number }

// Claims the jobs that have been due longest, of the wanted kinds only. Each kind is a range of the index, so a backlog of
// another kind costs nothing. A claimed job gives up its key: a change that arrives while it runs enqueues a new job.
export async function claimDueJobs(tx: Writer, wanted: Wanted[], limit: number, now: Instant): Promise<Job[]> {
  const [first, ...more] = wanted.map(
    (one) => sql`select id, run_at from (select id, run_at from jobs where kind = ${one.kind} and run_at <= ${now}
      order by run_at limit ${one.limit} ${SKIP_LOCKED}) as of_a_kind`,
  )
  if (!first) return []
  const candidates = more.reduce((all, ofAKind) => sql`${all} union all ${ofAKind}`, first)
  // Materialized: PostgreSQL may run a plain subquery once per row, and then claims far more than the limit.
  const rows = await tx.all<JobRow>(sql`with due as materialized
      (select id from (${candidates}) as candidates order by run_at limit ${limit})
    update jobs set attempt = attempt + 1, failures = failures + 1, key = null,
      run_at = case when failures < ${SUSPECT_FAILURES} then cast(${plusSeconds(now, LEASE_SECONDS)} as bigint)
        else cast(${plusSeconds(now, SUSPECT_LEASE_SECONDS)} as bigint) end
    where id in (select id from due) returning id, kind, payload, attempt, failures`)
  return rows.map(toJob)
}

// Releases jobs that were claimed but not started: the claim counts neither as an attempt nor as a failure.
export async function unclaimJobs(tx: Writer, jobs: readonly Job[], runAt: Instant): Promise<void> {
  for (const { attempt, ids } of byAttempt(jobs)) {
    tx.queue(sql`update jobs set run_at = ${runAt}, attempt = attempt - 1, failures = failures - 1
      where attempt = ${attempt} and id in (${list(ids)})`)
  }
  tx.signal(JOBS_TOPIC)
}

// A job that was postponed beyond the new end of its lease keeps that time.
export async function renewLeases(tx: Writer, jobs: readonly Job[], now: Instant): Promise<void> {
  const end = plusSeconds(now, LEASE_SECONDS)
  for (const { attempt, ids } of byAttempt(jobs)) {
    tx.queue(
      sql`update jobs set run_at = ${end} where attempt = ${attempt} and run_at < ${end} and id in (${list(ids)})`,
    )
  }
}

// Returns false if the lease of one of them has lapsed and another claim holds it.
export async function deleteJobs(tx: Writer, jobs: readonly Job[]): Promise<boolean> {
  const deletions = byAttempt(jobs).map(({ attempt, ids }) =>
    tx.execute(sql`delete from jobs where attempt = ${attempt} and id in (${list(ids)})`),
  )
  const deleted = await Promise.all(deletions)
  return deleted.reduce((sum, count) => sum + count, 0) === jobs.length
}

export const deleteJob = (tx: Writer, job: Job): Promise<boolean> => deleteJobs(tx, [job])

// The claim has counted as a failure. Returns false if the lease has lapsed and another claim holds the job.
export async function postponeJob<K extends JobKind>(
  tx: Writer,
  job: Job<K>,
  runAt: Instant,
  { countsAs = 'failure', payload }: { countsAs?: keyof typeof FAILURES_AFTER; payload?: Jobs[K] | undefined } = {},
): Promise<boolean> {
  const payloadNow = payload === undefined ? sql`` : sql`, payload = ${JSON.stringify(payload)}`
  const changed = await tx.execute(sql`update jobs set run_at = ${runAt} ${FAILURES_AFTER[countsAs]} ${payloadNow}
    where id = ${job.id} and attempt = ${job.attempt}`)
  tx.signal(JOBS_TOPIC)
  return changed === 1
}

const FAILURES_AFTER = {
  success: sql`, failures = 0`,
  failure: sql``,
  neither: sql`, failures = failures - 1`,
}

// Deletes jobs that are not claimed. A claimed job has no key; it ends when it finds nothing to do.
export async function deleteWaitingJobs(tx: Writer, keys: string[]): Promise<void> {
  if (keys.length > 0) tx.queue(sql`delete from jobs where key in (${list(keys)})`)
}

export type FirstRunAt = { kind: JobKind; runAt: Instant }

// When the first job of each kind is due. Rows of kinds that this version does not know are left out, and so are left to
// the nodes of a newer version.
export async function listFirstRunAts(db: Reader): Promise<FirstRunAt[]> {
  const rows = await db.all<{ kind: string; run_at: number }>(FIRST_RUN_ATS)
  return rows.flatMap(({ kind, run_at }) => (isJobKind(kind) ? [{ kind, runAt: instant(run_at) }] : []))
}

// Skips from kind to kind in the index, so its cost does not grow with the number of jobs.
const FIRST_RUN_ATS = sql`with recursive kinds (kind) as (
    select min(kind) from jobs
    union all select (select min(jobs.kind) from jobs where jobs.kind > kinds.kind) from kinds where kind is not null)
  select kind, (select min(run_at) from jobs where jobs.kind = kinds.kind) as run_at from kinds where kind is not null`

// When the oldest change of each kind was accepted that has not reached all members of its organization; null if there is
// none. Each kind is one step into the index.
const OLDEST_ACCEPTED = sql`select value as kind,
    (select min(accepted_at) from jobs where jobs.kind = value and accepted_at is not null) as accepted_at
  from ${eachText(JSON.stringify(FAN_OUT_KINDS))}`

export type OldestTimes = { runAt: Instant | undefined; acceptedAt: Instant | undefined }

// When the first job is due, and when the oldest such change was accepted.
export async function findOldestTimes(db: Reader): Promise<OldestTimes> {
  const row = await db.first<{ run_at: number | null; accepted_at: number | null }>(sql`select min(run_at) as run_at,
      (select min(accepted_at) from (${OLDEST_ACCEPTED}) as oldest) as accepted_at
    from (${FIRST_RUN_ATS}) as firsts`)
  return { runAt: row && optionalInstant(row.run_at), acceptedAt: row && optionalInstant(row.accepted_at) }
}

export async function listOldestAccepted(db: Reader): Promise<{ kind: JobKind; acceptedAt: Instant }[]> {
  const rows = await db.all<{ kind: JobKind; accepted_at: number | null }>(OLDEST_ACCEPTED)
  return rows.flatMap(({ kind, accepted_at: at }) => (at === null ? [] : [{ kind, acceptedAt: instant(at) }]))
}

// The due jobs of a kind, counted up to `most`: a range of the index, so a million jobs cost as much as `most`. A claimed
// job is not due before its lease has lapsed.
export async function countDueJobs(db: Reader, kind: JobKind, now: Instant, most: number): Promise<number> {
  const row = await db.first<{ count: number }>(sql`select count(*) as count from
    (select 1 from jobs where kind = ${kind} and run_at <= ${now} limit ${most}) as due`)
  return row?.count ?? 0
}

// Ids by attempt, in lists that fit into one statement.
function byAttempt(jobs: readonly Job[]): { attempt: number; ids: JobId[] }[] {
  return [...Map.groupBy(jobs, (job) => job.attempt)].flatMap(([attempt, some]) => {
    const lists = []
    for (let i = 0; i < some.length; i += IDS_PER_STATEMENT) {
      lists.push({ attempt, ids: some.slice(i, i + IDS_PER_STATEMENT).map(({ id }) => id) })
    }
    return lists
  })
}

const optionalInstant = (ms: number | null): Instant | undefined => (ms === null ? undefined : instant(ms))

type JobRow = { id: JobId; kind: JobKind; payload: string; attempt: number; failures: number }

// The payload has the type of its kind: only rows of known kinds are claimed, and enqueueJob checked it when it wrote the row.
const toJob = ({ payload, ...row }: JobRow): Job => ({ ...row, payload: JSON.parse(payload) })
