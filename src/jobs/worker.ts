// Claims due jobs and runs them. Sleeps until the next job is due or a signal says that one was enqueued, and polls at
// least once a second, because signals can be lost. Slots: docs/decisions/0021-claims-and-slots.md.
import { instant } from '../domain/instant.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { PushOutcome } from '../domain/notifications/delivery.ts'
import type { ClockWatch } from '../operations/check-clock.ts'
import type { ClaimedJob, JobContext } from '../operations/context.ts'
import { scheduleHousekeeping } from '../operations/housekeeping/housekeeping.ts'
import type { Clock } from '../runtime/clock.ts'
import { claimDueJobs, type FirstRunAt, JOBS_TOPIC, type Job, listFirstRunAts, unclaimJobs } from '../store/jobs.ts'
import type { NodeChannel } from '../store/server.ts'
import type { ChannelNodes } from './channel-nodes.ts'
import { createLeases } from './leases.ts'
import type { JobTypes } from './registry.ts'
import { runJob } from './run-job.ts'
import { createSettling } from './settling.ts'
import { createShares, type Shares } from './shares.ts'

export type Worker = {
  start(): void
  // Jobs that a caller waits for still run.
  stopClaiming(): void
  // Resolves when no job runs, at the latest after `patienceMs`, with the number of jobs that still run.
  untilIdle(patienceMs: number): Promise<number>
  // Stops claiming and waits for the jobs that run.
  stop(): Promise<void>
  // Runs everything that is due now; returns how many jobs were claimed.
  runDue(): Promise<number>
  // See Context. Jobs without a free slot, or not for this node, are released to the workers and have the outcome `open`.
  runNow(jobs: ClaimedJob[], patienceMs: number): Promise<PushOutcome[]>
}

const MOST_CLAIMED_AT_ONCE = 200
// Per kind, so that jobs that wait for a hung server do not block jobs of other kinds.
const RUNNING_OF_A_KIND = 400
// Jobs that run because a request, or a schedule that is sent, waits for them.
const RUNNING_NOW = 1000
const POLL_MS = 1000
// The wait before the next claim if due jobs exist but none could be claimed: another node has locked them.
const BUSY_MS = 20

type WorkerOptions = {
  ctx: JobContext
  nodes: Record<NodeChannel, ChannelNodes>
  clockWatch: ClockWatch
  types: JobTypes
}
type Claimable = FirstRunAt & { limit: number }

export function createWorker({ ctx, nodes, clockWatch, types }: WorkerOptions): Worker {
  const settle = createSettling(ctx)
  const leases = createLeases(ctx)
  const running = new Set<Promise<unknown>>()
  const runningNow = createShares(RUNNING_NOW)
  const slots = new Map<JobKind, Shares>()
  let unsubscribe = () => {}
  let cancelTimer = () => {}
  let claiming: Promise<unknown> | undefined
  let isWokenAgain = false
  let isStopped = true

  function slotsOf(kind: JobKind): Shares {
    const shares = slots.get(kind) ?? createShares(RUNNING_OF_A_KIND)
    slots.set(kind, shares)
    return shares
  }

  // The kinds that this node may run and has free slots for, each with the time of its first job.
  async function listClaimable(): Promise<Claimable[]> {
    if (!clockWatch.isRight()) return []
    const firsts = await listFirstRunAts(ctx.db.read)
    return firsts.flatMap(({ kind, runAt }) => {
      const { needs } = types[kind]
      if (needs && nodes[needs].areElsewhere()) return []
      const limit = Math.min(slotsOf(kind).free(), MOST_CLAIMED_AT_ONCE)
      return limit > 0 ? [{ kind, runAt, limit }] : []
    })
  }

  // Returns how many jobs were claimed.
  async function claimAndRun(claimable: Claimable[]): Promise<number> {
    const now = ctx.clock.now()
    const due = claimable.filter(({ runAt }) => runAt <= now)
    if (due.length === 0) return 0
    const jobs = await ctx.db.transact((tx) => claimDueJobs(tx, due, MOST_CLAIMED_AT_ONCE, now))
    const overShare = jobs.filter((job) => !leases.adopt(job) && !begin({ job }, slotsOf(job.kind)))
    if (overShare.length > 0) await park(overShare)
    return jobs.length
  }

  // Returns undefined if the account of the job has its share of these slots.
  function begin<K extends JobKind>(claimed: ClaimedJob<K>, shares: Shares): Promise<PushOutcome> | undefined {
    const { job } = claimed
    const account = accountOf(job)
    if (!shares.take(account)) return undefined
    leases.hold(job)
    const run = runJob(ctx, types[job.kind], claimed, settle).finally(() => {
      running.delete(run)
      leases.release(job)
      shares.giveBack(account)
      // The slots were all taken until now.
      if (shares.free() === 1) wake()
    })
    running.add(run)
    return run
  }

  // Postpones jobs of accounts over their share. The delay grows with the number of jobs, so that a backlog is not claimed
  // over and over, and is random, so that the jobs do not all fall due at once.
  async function park(jobs: Job[]) {
    const now = ctx.clock.now()
    await ctx.db.transact(async (tx) => {
      for (const [, ofAccount] of Map.groupBy(jobs, accountOf)) {
        const parkedMs = (1000 + ofAccount.length * 50) * (0.5 + Math.random())
        await unclaimJobs(tx, ofAccount, instant(now + Math.round(parkedMs)))
      }
    })
  }

  // If this fails, the leases lapse and the workers claim the jobs then.
  function releaseToWorkers(jobs: Job[]) {
    const releasing = ctx.db
      .transact((tx) => unclaimJobs(tx, jobs, ctx.clock.now()))
      .catch((error) => ctx.log.warn({ err: error }, 'cannot leave jobs to the workers'))
      .finally(() => running.delete(releasing))
    running.add(releasing)
  }

  // One claim at a time; a wake-up during a claim leads to another one after it.
  function wake() {
    if (isStopped) return
    if (claiming !== undefined) {
      isWokenAgain = true
      return
    }
    isWokenAgain = false
    // A wake-up may come from the commit of a request, to whose trace the claimed jobs do not belong.
    claiming = ctx.tracing
      .detached(claimThenSleep)
      .catch((error) => ctx.log.error({ err: error }, 'cannot claim jobs'))
      .finally(() => {
        claiming = undefined
        if (isWokenAgain) wake()
      })
  }

  async function claimThenSleep() {
    cancelTimer()
    let sleepMs = POLL_MS
    try {
      sleepMs = await claimWhileDue()
    } finally {
      cancelTimer = isStopped ? () => {} : ctx.clock.wakeAfter(sleepMs, wake)
    }
  }

  // Returns how long to sleep.
  async function claimWhileDue(): Promise<number> {
    while (!isStopped) {
      const claimable = await listClaimable()
      const dueInMs = Math.min(...claimable.map(({ runAt }) => runAt)) - ctx.clock.now()
      if (dueInMs > 0) return Math.min(dueInMs, POLL_MS)
      if (isStopped || (await claimAndRun(claimable)) === 0) return BUSY_MS
    }
    return POLL_MS
  }

  function stopClaiming() {
    isStopped = true
    unsubscribe()
    cancelTimer()
  }

  async function idle() {
    await claiming
    // A job may begin others: a schedule that is sent begins its pushes.
    while (running.size > 0) await Promise.all(running)
  }

  return {
    stopClaiming,
    async untilIdle(patienceMs) {
      await withPatience(ctx.clock, patienceMs, idle())
      return running.size
    },
    start() {
      isStopped = false
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
        const claimed = await claimAndRun(await listClaimable())
        if (claimed === 0) return count
        count += claimed
        await Promise.all(running)
      }
    },
    async runNow(jobs, patienceMs) {
      const outcomes: PushOutcome[] = jobs.map(() => 'open')
      const runs = jobs.map((claimed, index) => {
        const needs = credentialsFor(types, claimed.job)
        const isForOthers = needs !== undefined && nodes[needs].areElsewhere()
        const run = isForOthers ? undefined : begin(claimed, runningNow)
        return run?.then((outcome) => (outcomes[index] = outcome))
      })
      const released = jobs.filter((_, index) => !runs[index]).map(({ job }) => job)
      if (released.length > 0) releaseToWorkers(released)
      await withPatience(ctx.clock, patienceMs, Promise.all(runs))
      return outcomes
    },
  }
}

const accountOf = ({ payload }: Job) => payload.userId

const credentialsFor = <K extends JobKind>(types: JobTypes, { kind, payload }: Job<K>): NodeChannel | undefined =>
  types[kind].needsNothing?.(payload) ? undefined : types[kind].needs

async function withPatience(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let cancelTimer = () => {}
  const elapsed = new Promise<void>((resolve) => (cancelTimer = clock.wakeAfter(ms, resolve)))
  await Promise.race([work, elapsed])
  cancelTimer()
}
