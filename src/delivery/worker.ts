// Claims due jobs and runs them. Sleeps until the next one is due, a signal says that one was enqueued, or the slow
// poll, which is the truth where signals can be lost.
import { plusSeconds } from '../domain/instant.ts'
import type { PushOutcome } from '../domain/notification.ts'
import type { Context } from '../operations/context.ts'
import type { Clock } from '../runtime/clock.ts'
import { claimDueJobs, deleteJob, findNextRunAt, JOBS_TOPIC, type Job, postponeJob } from '../store/jobs.ts'
import { scheduleHousekeeping } from './housekeeping.ts'
import type { Delivery, JobType } from './job.ts'
import { JOB_TYPES } from './job-types.ts'
import { createSettling, type Settle } from './settling.ts'

export type Worker = {
  start(): void
  // Jobs that a caller waits for still run.
  stopClaiming(): void
  // Resolves when no job runs, at the latest after that time, with the number of jobs that still run.
  untilIdle(patienceMs: number): Promise<number>
  // Claims nothing more and waits for what is claimed.
  stop(): Promise<void>
  // Runs everything that is due now; returns how many jobs ran.
  runDue(): Promise<number>
  // Runs jobs that were enqueued as claimed, while someone waits for them, but not longer than that patience.
  runNow(jobs: Job[], patienceMs: number): Promise<PushOutcome[]>
}

const CLAIM_AT_ONCE = 200
// A kind that waits for servers which do not answer keeps no other kind waiting.
const RUNNING_OF_A_KIND = 400
const POLL_MS = 1000
// What is due and yet not ours (a neighbour has it locked, or we are full) is not asked for in a tight loop.
const BUSY_MS = 20
const UNKNOWN_KIND_SECONDS = 60

export function createWorker(delivery: Delivery, types: Record<string, JobType> = JOB_TYPES): Worker {
  const { ctx } = delivery
  const settle = createSettling(ctx)
  const running = new Set<Promise<unknown>>()
  const runningOf = new Map<string, number>()
  let unsubscribe = () => {}
  let cancelTimer = () => {}
  let claiming: Promise<unknown> | undefined
  let wakeAgain = false
  let stopped = true

  const countOf = (kind: string) => runningOf.get(kind) ?? 0

  async function claimAndRun(): Promise<number> {
    const full = [...runningOf.keys()].filter((kind) => countOf(kind) >= RUNNING_OF_A_KIND)
    const jobs = await ctx.db.transact((tx) => claimDueJobs(tx, CLAIM_AT_ONCE, ctx.clock.now(), full))
    for (const job of jobs) void begin(job)
    return jobs.length
  }

  function begin(job: Job): Promise<PushOutcome> {
    const { kind } = job
    const run = runJob(delivery, types[kind], job, settle).finally(() => {
      running.delete(run)
      runningOf.set(kind, countOf(kind) - 1)
      // There is room again.
      if (countOf(kind) === RUNNING_OF_A_KIND - 1) wake()
    })
    running.add(run)
    runningOf.set(kind, countOf(kind) + 1)
    return run
  }

  // One claim at a time; a wake-up that comes during a claim leads to one more look.
  function wake() {
    if (stopped) return
    if (claiming) {
      wakeAgain = true
      return
    }
    wakeAgain = false
    claiming = look()
      .catch((error) => ctx.log.error({ err: error }, 'cannot claim jobs'))
      .finally(() => {
        claiming = undefined
        if (wakeAgain) wake()
      })
  }

  async function look() {
    cancelTimer()
    let claimed = 0
    try {
      do claimed = stopped ? 0 : await claimAndRun()
      while (claimed === CLAIM_AT_ONCE)
    } finally {
      const next = stopped ? undefined : await findNextRunAt(ctx.db.read).catch(() => undefined)
      const dueInMs = next === undefined ? POLL_MS : next - ctx.clock.now()
      // What fell due while we claimed the rest is claimed at once.
      const busyMs = claimed > 0 ? 0 : BUSY_MS
      const delayMs = dueInMs > 0 ? Math.min(dueInMs, POLL_MS) : busyMs
      cancelTimer = stopped ? () => {} : ctx.clock.wakeAfter(delayMs, wake)
    }
  }

  function stopClaiming() {
    stopped = true
    unsubscribe()
    cancelTimer()
  }

  async function idle() {
    await claiming
    // What runs may have begun more: a schedule that is sent begins its pushes.
    while (running.size > 0) await Promise.all(running)
  }

  return {
    stopClaiming,
    async untilIdle(patienceMs) {
      await withPatience(ctx.clock, patienceMs, idle())
      return running.size
    },
    start() {
      stopped = false
      unsubscribe = ctx.db.signals.subscribe(JOBS_TOPIC, wake)
      scheduleHousekeeping(ctx).catch((error) => ctx.log.error({ err: error }, 'cannot schedule housekeeping'))
      wake()
    },
    async stop() {
      stopClaiming()
      await idle()
    },
    async runDue() {
      let count = 0
      for (let claimed = await claimAndRun(); claimed > 0; claimed = await claimAndRun()) {
        count += claimed
        await Promise.all(running)
      }
      return count
    },
    async runNow(jobs, patienceMs) {
      const outcomes: PushOutcome[] = jobs.map(() => 'open')
      const runs = jobs.map(async (job, index) => {
        outcomes[index] = await begin(job)
      })
      await withPatience(ctx.clock, patienceMs, Promise.all(runs))
      return outcomes
    },
  }
}

async function withPatience(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let cancelTimer = () => {}
  const elapsed = new Promise<void>((resolve) => (cancelTimer = clock.wakeAfter(ms, resolve)))
  await Promise.race([work, elapsed])
  cancelTimer()
}

async function runJob(delivery: Delivery, type: JobType | undefined, job: Job, settle: Settle): Promise<PushOutcome> {
  const { ctx } = delivery
  const finish = stopwatch(ctx, job)
  try {
    if (!type) throw new Error(`no job type ${job.kind}`)
    const result = await type.run(delivery, job)
    if (await settle({ job, result }, type.lockOf?.(job))) await result.afterwards?.()
    finish('done' in result ? 'done' : 'again')
    if (result.isLeftOut) return 'left_out'
    return result.accepted ? 'accepted' : 'refused'
  } catch (error) {
    const retried = await retryLater(ctx, job, type).catch(() => true)
    finish(retried ? 'failed' : 'given up', { err: error })
    return 'refused'
  }
}

// Returns what to say when the job has ended.
function stopwatch({ clock, log }: Context, { kind, id, attempt }: Job) {
  const startedMs = clock.monotonicMs()
  return (outcome: string, rest: object = {}) => {
    const ms = Math.round(clock.monotonicMs() - startedMs)
    const level = outcome === 'failed' || outcome === 'given up' ? 'error' : 'debug'
    log[level]({ job: kind, id, attempt, outcome, ms, ...rest }, 'job')
  }
}

// A kind we do not know is one of a newer version, which runs beside us during an upgrade: it is not ours to give up.
async function retryLater(ctx: Context, job: Job, type: JobType | undefined): Promise<boolean> {
  const seconds = type ? type.retryAfterSeconds[job.attempt - 1] : UNKNOWN_KIND_SECONDS
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    if (seconds !== undefined) await postponeJob(tx, job, plusSeconds(now, seconds))
    else if (await deleteJob(tx, job)) await type?.givenUp?.(tx, job, now)
  })
  return seconds !== undefined
}
