// Claims due jobs and runs them. Sleeps until the next one is due, a signal says that one was enqueued, or the slow
// poll, which is the truth where signals can be lost. Who may fill the slots: docs/decisions/0021-claims-and-slots.md.
import { instant } from '../domain/instant.ts'
import type { PushOutcome } from '../domain/notification.ts'
import type { Clock } from '../runtime/clock.ts'
import { claimDueJobs, JOBS_TOPIC, type Job, listFirstRunAts, unclaimJobs } from '../store/jobs.ts'
import { scheduleHousekeeping } from './housekeeping.ts'
import type { Delivery, JobType } from './job.ts'
import { JOB_TYPES } from './job-types.ts'
import { createLeases } from './leases.ts'
import { runJob } from './run-job.ts'
import { createSettling } from './settling.ts'
import { createShares, type Shares } from './shares.ts'

export type Worker = {
  start(): void
  // Jobs that a caller waits for still run.
  stopClaiming(): void
  // Resolves when no job runs, at the latest after that time, with the number of jobs that still run.
  untilIdle(patienceMs: number): Promise<number>
  // Claims nothing more and waits for what is claimed.
  stop(): Promise<void>
  // Runs everything that is due now; returns how many jobs were claimed.
  runDue(): Promise<number>
  // Runs jobs that were enqueued as claimed, while someone waits for them, but not longer than that patience. What there
  // is no room for, or is not for this node, is left to the workers and stays open.
  runNow(jobs: Job[], patienceMs: number): Promise<PushOutcome[]>
}

const CLAIM_AT_ONCE = 200
// A kind that waits for servers which do not answer keeps no other kind waiting.
const RUNNING_OF_A_KIND = 400
// Jobs that run because a request, or a schedule that is sent, waits for them.
const RUNNING_NOW = 1000
const POLL_MS = 1000
// Jobs that are due but locked by a neighbour are not asked for in a tight loop.
const BUSY_MS = 20

export function createWorker(delivery: Delivery, types: Record<string, JobType> = JOB_TYPES): Worker {
  const { ctx } = delivery
  const settle = createSettling(ctx)
  const leases = createLeases(ctx)
  const running = new Set<Promise<unknown>>()
  const runningNow = createShares(RUNNING_NOW)
  const slots = new Map(Object.keys(types).map((kind) => [kind, createShares(RUNNING_OF_A_KIND)]))
  let unsubscribe = () => {}
  let cancelTimer = () => {}
  let claiming: Promise<unknown> | undefined
  let wakeAgain = false
  let stopped = true

  // Undefined for kinds that are not for this node: those that need an APNs key it does not have, and those of a newer
  // version, which runs beside us during an upgrade.
  const slotsOf = (kind: string) =>
    types[kind]?.mayUseApns && delivery.apnsNodes.areElsewhere() ? undefined : slots.get(kind)

  // When there is something to claim, of the kinds that this node may run and has room for.
  async function claimable() {
    const firsts = await listFirstRunAts(ctx.db.read)
    return firsts.flatMap(({ kind, runAt }) => {
      const limit = Math.min(slotsOf(kind)?.free() ?? 0, CLAIM_AT_ONCE)
      return limit > 0 ? [{ kind, runAt, limit }] : []
    })
  }

  // Returns how many were claimed.
  async function claimAndRun(wanted: Awaited<ReturnType<typeof claimable>>): Promise<number> {
    const now = ctx.clock.now()
    const due = wanted.filter(({ runAt }) => runAt <= now)
    if (due.length === 0) return 0
    const jobs = await ctx.db.transact((tx) => claimDueJobs(tx, due, CLAIM_AT_ONCE, now))
    const overShare = jobs.filter((job) => !leases.adopt(job) && !begin(job, slots.get(job.kind)))
    if (overShare.length > 0) await park(overShare)
    return jobs.length
  }

  // Undefined: the job's account has its share of these slots.
  function begin(job: Job, shares: Shares | undefined): Promise<PushOutcome> | undefined {
    const type = types[job.kind]
    const account = accountOf(job)
    if (!type || !shares?.take(account)) return undefined
    leases.hold(job)
    const run = runJob(delivery, type, job, settle).finally(() => {
      running.delete(run)
      leases.release(job)
      shares.giveBack(account)
      // There is room again.
      if (shares.free() === 1) wake()
    })
    running.add(run)
    return run
  }

  // For longer if an account has many of them: its backlog must not be claimed over and over. Spread out, so that they do
  // not all come back at once.
  async function park(jobs: Job[]) {
    const now = ctx.clock.now()
    await ctx.db.transact(async (tx) => {
      for (const [, some] of Map.groupBy(jobs, accountOf)) {
        const parkedMs = (1000 + some.length * 50) * (0.5 + Math.random())
        await unclaimJobs(tx, some, instant(now + Math.round(parkedMs)))
      }
    })
  }

  // If this fails, their leases lapse.
  function leaveToWorkers(jobs: Job[]) {
    const leaving = ctx.db
      .transact((tx) => unclaimJobs(tx, jobs, ctx.clock.now()))
      .catch((error) => ctx.log.warn({ err: error }, 'cannot leave jobs to the workers'))
      .finally(() => running.delete(leaving))
    running.add(leaving)
  }

  // One look at a time; a wake-up that comes during a look leads to one more.
  function wake() {
    if (stopped) return
    if (claiming !== undefined) {
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
    let sleepMs = POLL_MS
    try {
      sleepMs = await claimWhatIsDue()
    } finally {
      cancelTimer = stopped ? () => {} : ctx.clock.wakeAfter(sleepMs, wake)
    }
  }

  // Returns for how long there is nothing to do.
  async function claimWhatIsDue(): Promise<number> {
    while (!stopped) {
      const wanted = await claimable()
      const dueInMs = Math.min(...wanted.map(({ runAt }) => runAt)) - ctx.clock.now()
      if (dueInMs > 0) return Math.min(dueInMs, POLL_MS)
      if (stopped || (await claimAndRun(wanted)) === 0) return BUSY_MS
    }
    return POLL_MS
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
      for (;;) {
        const claimed = await claimAndRun(await claimable())
        if (claimed === 0) return count
        count += claimed
        await Promise.all(running)
      }
    },
    async runNow(jobs, patienceMs) {
      const outcomes: PushOutcome[] = jobs.map(() => 'open')
      const runs = jobs.map((job, index) => {
        const isForOthers = types[job.kind]?.mayUseApns?.(job) && delivery.apnsNodes.areElsewhere()
        const run = isForOthers ? undefined : begin(job, runningNow)
        return run?.then((outcome) => (outcomes[index] = outcome))
      })
      const left = jobs.filter((_, index) => !runs[index])
      if (left.length > 0) leaveToWorkers(left)
      await withPatience(ctx.clock, patienceMs, Promise.all(runs))
      return outcomes
    },
  }
}

const accountOf = (job: Job) => (job.payload as { userId?: string }).userId

async function withPatience(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let cancelTimer = () => {}
  const elapsed = new Promise<void>((resolve) => (cancelTimer = clock.wakeAfter(ms, resolve)))
  await Promise.race([work, elapsed])
  cancelTimer()
}
