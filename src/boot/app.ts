// The composition root: builds the parts in order and stops them in reverse order.
import { createServer } from '../http/server.ts'
import { joinChannelNodes, SINGLE_NODE } from '../jobs/channel-nodes.ts'
import { JOB_TYPES } from '../jobs/registry.ts'
import { createWorker, type Worker } from '../jobs/worker.ts'
import { ALWAYS_RIGHT, CHECK_EVERY_MS, checkClock, watchClock } from '../operations/check-clock.ts'
import type { Context, JobContext } from '../operations/context.ts'
import { createCheckup } from '../operations/doctor/finding.ts'
import { STAMP_EVERY_MS } from '../operations/heartbeats/alive.ts'
import { createRateLimiter } from '../operations/rate-limit.ts'
import { createReadiness } from '../operations/readiness.ts'
import { openChannelsInThread } from '../push/channels/thread.ts'
import { systemClock } from '../runtime/clock.ts'
import { loadTracingVariables } from '../runtime/config.ts'
import type { Config } from '../runtime/settings.ts'
import { openTracing } from '../runtime/tracing/open-telemetry.ts'
import { lockDataFolder } from '../store/engine/sqlite/process-lock.ts'
import type { NodeChannel } from '../store/server.ts'
import { buildContext, openLog, type Parts } from './context.ts'
import { checkServer } from './doctor.ts'
import { createDrain } from './drain.ts'
import { type Lifetimes, repeat, withLifetimes } from './lifetimes.ts'
import { closeServer, listen, warnOfFewOpenFiles } from './listen.ts'
import { createExporter } from './metrics-exporter.ts'
import { prepareDataFolder } from './open-database.ts'
import { type Outgoing, openOutgoing, outgoingFunctions } from './outgoing.ts'
import { requireProviderSettings } from './provider-settings.ts'

// Listens, but runs no jobs until `worker.start()`.
// `metricsUrl` is undefined if no port for metrics is configured.
export type App = { ctx: JobContext; worker: Worker; url: string; metricsUrl?: string; stop(): Promise<void> }

export async function startApp(config: Config, parts: Partial<Parts> = {}): Promise<App> {
  return withLifetimes(async (lifetimes) => {
    const { ctx, worker, exporter, beginStop } = await openWork(config, parts, lifetimes)
    warnOfFewOpenFiles(ctx.log, config)
    await stampAlive(ctx)
    lifetimes.push(repeat(ctx.log, 'stamp that the service is alive', STAMP_EVERY_MS, () => ctx.alive.stamp()))
    const limiter = createRateLimiter(ctx.clock, ctx.db)
    if (config.databaseUrl) lifetimes.push(repeat(ctx.log, 'share the rate counters', 200, () => limiter.share()))
    const check = () => checkServer(config, ctx.db.read, { clock: ctx.clock, ca: parts.ca })
    const checkup = createCheckup(ctx.clock, check)
    const drain = createDrain(ctx.clock, config.drainSeconds, createReadiness(ctx))
    const server = await createServer(ctx, limiter, { checkReadiness: drain.checkReadiness, checkup })
    lifetimes.push(() => closeServer(server, REQUESTS_END_MS))
    lifetimes.push(beginStop)
    const metricsUrl = await exporter.listen(ctx, lifetimes, {
      server: server.server,
      checkReadiness: drain.checkReadiness,
    })
    const url = await listen(server, config)
    lifetimes.push(() => drain.run())
    return { ctx, worker, metricsUrl, url }
  })
}

// Runs jobs without listening, beside any number of serving nodes.
export function startWork(config: Config, parts: Partial<Parts> = {}): Promise<Omit<App, 'url'>> {
  return withLifetimes(async (lifetimes) => {
    const { ctx, worker, exporter, beginStop } = await openWork(config, parts, lifetimes)
    lifetimes.push(beginStop)
    return { ctx, worker, metricsUrl: await exporter.listen(ctx, lifetimes, { checkReadiness: createReadiness(ctx) }) }
  })
}

// Service managers kill a process ten seconds after SIGTERM. Counted from the end of the drain: requests end within 4 s,
// mail takes 2 s more, pushes may run until then, their channels close within 2 s, and jobs that still run at 9 s are left
// to their leases.
const REQUESTS_END_MS = 4000
const PUSHES_END_MS = 6000
const JOBS_ABANDONED_MS = 9000

async function openWork(config: Config, parts: Partial<Parts>, lifetimes: Lifetimes) {
  requireProviderSettings(config)
  if (!config.databaseUrl) {
    prepareDataFolder(config.dataDir)
    lifetimes.push(lockDataFolder(config.dataDir))
  }
  const log = parts.log ?? openLog(config, process.stdout)
  const exporter = await createExporter(config)
  const tracing = parts.tracing ?? (await openTracing(loadTracingVariables(), log))
  lifetimes.push(() => tracing.close())
  const observers = { log, metrics: exporter.metrics, tracing }
  const { vapid, endWaits, ...base } = await buildContext(config, { ...parts, ...observers }, lifetimes)
  const { clock } = base
  if (config.databaseUrl) await checkClock(base.db, systemClock, log)
  const { openChannels = openChannelsInThread, ca } = parts
  const outgoing = openOutgoing(config, { openChannels, vapid, clock, log, ca })
  const runNow: Context['runNow'] = (jobs, patienceMs) => worker.runNow(jobs, patienceMs)
  const ctx: JobContext = { ...base, ...outgoingFunctions(outgoing, base), runNow }
  const joinNodes = async (channel: NodeChannel, hasCredentials: boolean) => {
    const nodes = config.databaseUrl ? await joinChannelNodes(ctx, channel, hasCredentials) : SINGLE_NODE
    lifetimes.push(() => nodes.stop())
    return nodes
  }
  const nodes = {
    apns: await joinNodes('apns', outgoing.channels.apns !== undefined),
    bark: await joinNodes('bark', outgoing.channels.bark !== undefined),
    smtp: await joinNodes('smtp', outgoing.mail !== undefined),
  }
  const clockWatch = config.databaseUrl ? watchClock(ctx.db, systemClock, log) : ALWAYS_RIGHT
  const worker = createWorker({ ctx, nodes, clockWatch, types: JOB_TYPES })
  lifetimes.push(repeat(log, "compare the clock with the database's", CHECK_EVERY_MS, () => clockWatch.check()))
  lifetimes.push(repeat(log, 'write the last use of keys', 5000, () => ctx.lastUsed.flush()))
  lifetimes.push(repeat(log, 'write the counts of this day', 5000, () => ctx.dailyCounts.flush()))
  const stopClaiming = endInOrder(worker, outgoing, ctx, lifetimes)
  // Runs before requests are drained: no job is claimed from here on, and held requests are answered.
  const beginStop = () => {
    stopClaiming()
    endWaits()
  }
  return { ctx, worker, exporter, beginStop }
}

// Before it listens, so that due times have moved when the first ping arrives. A server starts on a full disk, too; until
// a stamp succeeds it judges no heartbeat.
const stampAlive = ({ alive, log }: Context): Promise<void> =>
  alive.stamp().catch((error) => log.warn({ err: error }, 'cannot stamp that the service is alive'))

// Adds the ends of the jobs that run and of the connections they use. Returns the function that begins the stop.
function endInOrder(
  worker: Worker,
  { channels, outbound, mail }: Outgoing,
  { clock, log }: Context,
  lifetimes: Lifetimes,
): () => void {
  let stoppingSinceMs = clock.monotonicMs()
  const leftMs = (budgetMs: number) => Math.max(stoppingSinceMs + budgetMs - clock.monotonicMs(), 0)
  lifetimes.push(async () => {
    const jobs = await worker.untilIdle(leftMs(JOBS_ABANDONED_MS))
    // Their leases lapse; then another process or the next start runs them again.
    if (jobs > 0) log.warn({ jobs }, 'jobs abandoned')
  })
  // A push that its provider has not answered by now is recorded as one to retry.
  lifetimes.push(() => Promise.all([channels.close(), outbound.close()]))
  lifetimes.push(() => worker.untilIdle(leftMs(PUSHES_END_MS)))
  lifetimes.push(() => mail?.close())
  return () => {
    stoppingSinceMs = clock.monotonicMs()
    worker.stopClaiming()
  }
}
