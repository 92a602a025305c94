// The composition root: builds the parts in order and stops them in reverse. Nothing else has a lifetime.
import { setMaxListeners } from 'node:events'
import { accessSync, chmodSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './domain/start-error.ts'
import type { HttpServer } from './http/fastify-types.ts'
import { createServer } from './http/server.ts'
import { ALONE, joinApnsNodes } from './jobs/apns-nodes.ts'
import { createWorker, type Worker } from './jobs/worker.ts'
import { inLifetimes, type Lifetimes, repeat } from './lifetimes.ts'
import { checkClock } from './operations/check-clock.ts'
import type { Context } from './operations/context.ts'
import { createOpenStreams } from './operations/events/open-streams.ts'
import { createLastUsed } from './operations/last-used.ts'
import { createRateLimiter } from './operations/rate-limit.ts'
import { createReadiness } from './operations/readiness.ts'
import { createProviderToken } from './push/channels/apns/provider-token.ts'
import { type ChannelOptions, openChannels } from './push/channels/channels.ts'
import { type MailChannel, openSmtp, type SmtpOptions } from './push/channels/smtp.ts'
import { openChannelsInThread } from './push/channels/thread.ts'
import type { VapidKeys } from './push/channels/web-push/vapid.ts'
import { openOutbound } from './push/outbound-http.ts'
import { encryptedFits } from './push/payload/notification.ts'
import { previewPushes } from './push/preview.ts'
import { type AppleVerifier, openAppleSignIn } from './runtime/apple-sign-in.ts'
import { type Clock, systemClock } from './runtime/clock.ts'
import { createLog, type Log } from './runtime/log.ts'
import { openFilesLimit } from './runtime/open-files-limit.ts'
import { type Config, publicUrlOf } from './runtime/settings.ts'
import { createSlices } from './runtime/slices.ts'
import { loadSecrets } from './secrets.ts'
import type { Database } from './store/engine/database.ts'
import { migrate } from './store/engine/migrate.ts'
import { lockDataFolder } from './store/engine/sqlite/process-lock.ts'
import { openSqlite } from './store/engine/sqlite/sqlite.ts'
import { describeTrouble, type ReportTrouble } from './store/engine/trouble.ts'
import { tryWrite } from './store/engine/write-check.ts'

// What tests replace: time, the log, and the certificate authority they trust.
export type Parts = { clock: Clock; log: Log; ca: string }

// Listens, but runs no jobs until `worker.start()`.
export type App = { ctx: Context; worker: Worker; url: string; stop(): Promise<void> }

export async function startApp(config: Config, parts: Partial<Parts> = {}): Promise<App> {
  return inLifetimes(async (lifetimes) => {
    const { ctx, worker, beginStop } = await openWork(config, parts, lifetimes)
    warnOfFewOpenFiles(ctx, openFilesLimit())
    const limiter = createRateLimiter(ctx.clock, ctx.db)
    if (config.databaseUrl) lifetimes.push(repeat(ctx, 'share the rate counters', 200, () => limiter.share()))
    const server = await createServer(ctx, limiter, { whyNotReady: createReadiness(ctx) })
    lifetimes.push(() => closeServer(server))
    lifetimes.push(beginStop)
    const url = await server
      .listen({ host: config.host, port: config.port })
      .catch((error: Error & { code?: string }) => {
        throw new StartError(listenFailure(error, config))
      })
    return { ctx, worker, url }
  })
}

// Background work without a listener, beside any number of serving nodes.
export function startWork(config: Config, parts: Partial<Parts> = {}): Promise<Omit<App, 'url'>> {
  return inLifetimes(async (lifetimes) => {
    const { ctx, worker, beginStop } = await openWork(config, parts, lifetimes)
    lifetimes.push(beginStop)
    return { ctx, worker }
  })
}

// The context alone, for commands that administer the database, beside a running server too.
export function openContext(config: Config, parts: Partial<Parts> = {}): Promise<Pick<App, 'ctx' | 'stop'>> {
  const build = (lifetimes: Lifetimes) => buildContext(config, parts, lifetimes, COMMAND_LOCK_PATIENCE_MS)
  return inLifetimes(async (lifetimes) => ({ ctx: await build(lifetimes) }))
}

// A command that waits a while beside a busy server is better than one that fails.
const COMMAND_LOCK_PATIENCE_MS = 30_000

async function openWork(config: Config, parts: Partial<Parts>, lifetimes: Lifetimes) {
  if (!config.databaseUrl) {
    prepareDataFolder(config.dataDir)
    lifetimes.push(lockDataFolder(config.dataDir))
  }
  const { vapid, endWaits, ...base } = await buildContext(config, parts, lifetimes)
  const { clock, log } = base
  if (config.databaseUrl) await checkClock(base.db, systemClock, log)
  const pushing: ChannelOptions = {
    apns: apnsIfConfigured(config),
    webPush: { keys: vapid, subject: config.publicUrl ?? FALLBACK_SUBJECT },
    outboundAllow: config.outboundAllow,
    ca: parts.ca,
  }
  // A clock that tests move cannot be moved in another thread.
  const channels = parts.clock ? openChannels(pushing, { clock, log }) : openChannelsInThread(pushing, log)
  const outbound = openOutbound({ allow: config.outboundAllow, log, ca: parts.ca })

  const ctx: Context = { ...base, runNow: (jobs, patienceMs) => worker.runNow(jobs, patienceMs) }
  const mail = openMailIfConfigured(config, { clock, log, ca: parts.ca })
  const apnsNodes = config.databaseUrl ? await joinApnsNodes(ctx, channels.apns !== undefined) : ALONE
  lifetimes.push(() => apnsNodes.stop())
  const worker = createWorker({ ctx, apns: channels.apns, apnsNodes, webPush: channels.webPush, outbound, mail })
  lifetimes.push(repeat(ctx, 'write the last use of keys', 5000, () => ctx.lastUsed.flush()))
  let stoppingSinceMs = clock.monotonicMs()
  const leftMs = (budgetMs: number) => Math.max(stoppingSinceMs + budgetMs - clock.monotonicMs(), 0)
  lifetimes.push(async () => {
    const jobs = await worker.untilIdle(leftMs(JOBS_ABANDONED_MS))
    // Their leases lapse; then another process or the next start runs them again.
    if (jobs > 0) log.warn({ jobs }, 'jobs abandoned')
  })
  // A push that its provider has not answered by now is recorded as one to try again.
  lifetimes.push(() => Promise.all([channels.close(), outbound.close()]))
  lifetimes.push(() => worker.untilIdle(leftMs(PUSHES_END_MS)))
  lifetimes.push(() => mail?.close())
  // Before requests are drained: no job is claimed from here on, and held requests are answered.
  const beginStop = () => {
    stoppingSinceMs = clock.monotonicMs()
    worker.stopClaiming()
    endWaits()
  }
  return { ctx, worker, beginStop }
}

// Service managers kill a process ten seconds after SIGTERM. Counted from the beginning of the stop: requests end within
// 4 s, mail takes 2 s more, pushes may go on until then, their channels close within 2 s, and what still runs at 9 s is
// left to its lease.
const REQUESTS_END_MS = 4000
const PUSHES_END_MS = 6000
const JOBS_ABANDONED_MS = 9000

// Push services want to know whom to write to about our pushes.
const FALLBACK_SUBJECT = 'mailto:operator@localhost'

async function buildContext(
  config: Config,
  parts: Partial<Parts>,
  lifetimes: Lifetimes,
  lockPatienceMs?: number,
): Promise<Context & { vapid: VapidKeys; endWaits: () => void }> {
  const format = config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json')
  const log = parts.log ?? createLog(config.logLevel, format)
  const clock = parts.clock ?? systemClock
  const db = await openDatabase(config, { report: reportTo(log), lockPatienceMs })
  lifetimes.push(() => db.close())
  const applied = await migrate(db)
  await requireWritable(db)
  if (applied.length > 0) log.info({ migrations: applied }, 'database schema is up to date')
  const { vapid, signingKey } = await loadSecrets(config, db, log)
  const stopping = new AbortController()
  // Every held request and every callback under way listens to it.
  setMaxListeners(0, stopping.signal)
  return {
    config,
    clock,
    log,
    db,
    lastUsed: createLastUsed(db),
    openStreams: createOpenStreams({ clock, db, log }),
    slices: createSlices(),
    signingKey,
    vapid,
    webPushPublicKey: vapid.publicKey,
    stopping: stopping.signal,
    endWaits: () => stopping.abort(),
    apple: openAppleSignInIfConfigured(config, clock, log),
    // Without a worker of its own, a process leaves its jobs to the others.
    runNow: async (jobs) => jobs.map(() => 'open'),
    push: { preview: previewPushes, fits: encryptedFits },
  }
}

function openAppleSignInIfConfigured(config: Config, clock: Clock, log: Log): AppleVerifier | undefined {
  const { appleAudience: audience, appleKeysUrl: keysUrl } = config
  return audience.length > 0 ? openAppleSignIn({ audience, keysUrl, clock, log }) : undefined
}

function apnsIfConfigured(config: Config): ChannelOptions['apns'] {
  const { apnsKeyFile, apnsKeyId: keyId, apnsTeamId: teamId, apnsTopic: topic } = config
  if (!apnsKeyFile && !keyId && !teamId && !topic) return undefined
  if (!apnsKeyFile || !keyId || !teamId || !topic) {
    throw new StartError('pushes to Apple devices need all of HELIOGRAPH_APNS_KEY_FILE, _KEY_ID, _TEAM_ID and _TOPIC')
  }
  try {
    const provider = { key: readFileSync(apnsKeyFile, 'utf8'), keyId, teamId }
    // Made only to see now, and not with the first push, whether the key can sign.
    createProviderToken(provider, systemClock)
    return { topic, productionUrl: config.apnsUrl, sandboxUrl: config.apnsSandboxUrl, ...provider }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'not a usable .p8 key'
    throw new StartError(`the APNs key ${apnsKeyFile} cannot be used (${reason}); check HELIOGRAPH_APNS_KEY_FILE`)
  }
}

function openMailIfConfigured(config: Config, parts: Omit<SmtpOptions, 'url' | 'from'>): MailChannel | undefined {
  const { smtpUrl: url, mailFrom: from } = config
  if (!url && !from) return undefined
  if (!url || !from) throw new StartError('e-mail needs both HELIOGRAPH_SMTP_URL and HELIOGRAPH_MAIL_FROM')
  if (!config.publicUrl) {
    parts.log.warn(
      { url: publicUrlOf(config) },
      'links in e-mail lead here; set HELIOGRAPH_PUBLIC_URL to what people can reach',
    )
  }
  return openSmtp({ url, from, ...parts })
}

type DatabaseOptions = { report: ReportTrouble; lockPatienceMs?: number }

async function openDatabase(config: Config, options: DatabaseOptions): Promise<Database> {
  if (config.databaseUrl) {
    // Loaded only where it is used: the embedded database starts faster without it.
    const { openPostgres } = await import('./store/engine/postgres/postgres.ts')
    return openPostgres(config.databaseUrl.reveal(), options.report)
  }
  prepareDataFolder(config.dataDir)
  // Disks and locks take real time, also where tests move the clock.
  const { monotonicMs } = systemClock
  return openSqlite(join(config.dataDir, 'heliograph.db'), { ...options, monotonicMs })
}

const reportTo =
  (log: Log): ReportTrouble =>
  (trouble) => {
    if (trouble) log.error({ trouble }, describeTrouble(trouble))
    else log.info('the database stores changes again')
  }

// What may pass, such as a full disk, makes a server that is not ready; a read-only database stays so until it is mended.
async function requireWritable(db: Database): Promise<void> {
  await tryWrite(db).catch(() => {})
  if (db.trouble() !== 'read-only') return
  throw new StartError('the database is read-only; check the owner, the mode and the disk of its files')
}

function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Also one that existed before: what is in it is for this server alone.
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new StartError(`the data folder ${folder} cannot be written (${reason}); check HELIOGRAPH_DATA_DIR`)
  }
}

// A client that has not finished sending its request by then must not hold up the stop.
async function closeServer(server: HttpServer): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), REQUESTS_END_MS)
  await server.close()
  clearTimeout(timer)
}

function listenFailure(error: Error & { code?: string }, { host, port }: Config): string {
  if (error.code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with HELIOGRAPH_PORT`
  return `cannot listen on ${host}:${port} (${error.code ?? error.message}); check HELIOGRAPH_HOST and HELIOGRAPH_PORT`
}

// For the database, connections to push services, the log and the files of the console.
const OPEN_FILES_OF_OURS = 100

// Beyond its limit the operating system leaves connections unanswered, and pushes cannot be sent either.
function warnOfFewOpenFiles({ log, config: { maxConnections } }: Context, limit: number | undefined): void {
  if (limit === undefined || limit >= maxConnections + OPEN_FILES_OF_OURS) return
  log.warn(
    { open_files: limit, max_connections: maxConnections },
    'the limit of open files is below HELIOGRAPH_MAX_CONNECTIONS; raise it (ulimit -n), or lower the setting',
  )
}
