// The context that operations run in, for the service and for the commands that administer the database. These do not import
// boot/app.ts: loading the server takes longer than what they do.
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { createDailyCounts } from '../operations/accounts/daily-counts.ts'
import { createAppRoom } from '../operations/apps/room.ts'
import type { Context } from '../operations/context.ts'
import { createOpenStreams } from '../operations/events/open-streams.ts'
import { createAlive } from '../operations/heartbeats/alive.ts'
import { createLastUsed } from '../operations/last-used.ts'
import { createNewVariants } from '../operations/screens/new-variants.ts'
import type { OpenChannels } from '../push/channels/channels.ts'
import type { VapidKeys } from '../push/channels/web-push/vapid.ts'
import { encryptedFits } from '../push/payload/notification.ts'
import { previewPushes } from '../push/preview.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { contentsInFolder } from '../runtime/file-folder.ts'
import { createLog, type Log } from '../runtime/log.ts'
import type { OutputStream } from '../runtime/log-lines.ts'
import { type Metrics, NO_METRICS } from '../runtime/metrics/metrics.ts'
import { createPasskeyVerifier } from '../runtime/passkeys/thread.ts'
import { createPictures } from '../runtime/pictures/pictures.ts'
import type { Config } from '../runtime/settings.ts'
import { createSlices } from '../runtime/slices.ts'
import { createTemplates } from '../runtime/templates/thread.ts'
import { NO_TRACING, type Tracing } from '../runtime/tracing/tracing.ts'
import { contentsInRows } from '../store/files/chunks.ts'
import { type Lifetimes, withLifetimes } from './lifetimes.ts'
import { openDatabase, prepareDatabase } from './open-database.ts'
import { openAppleSignInIfConfigured } from './provider-settings.ts'
import { loadSecrets } from './secrets.ts'

// The parts that tests replace. `ca` is trusted instead of the default certificate authorities. `openChannels` opens the
// push channels, by default in a thread of their own.
export type Parts = { clock: Clock; log: Log; ca: string; openChannels: OpenChannels; tracing: Tracing }

// The context alone, for commands that administer the database. They may run beside a server. What they print is for
// another program to read, so their log goes elsewhere.
export function openContext(
  config: Config,
  parts: Partial<Parts> = {},
): Promise<{ ctx: Context; stop(): Promise<void> }> {
  const { log = openLog(config, process.stderr) } = parts
  return withLifetimes(async (lifetimes) => ({
    ctx: await buildContext(config, { ...parts, log, isBesideServer: true }, lifetimes),
  }))
}

export const openLog = ({ logLevel, logFormat }: Config, output: OutputStream) =>
  createLog(logLevel, logFormat ?? (output.isTTY ? 'pretty' : 'json'), output)

// `isBesideServer`: see openDatabase.
type ContextParts = Partial<Parts> & { log: Log; metrics?: Metrics; isBesideServer?: boolean }

export async function buildContext(
  config: Config,
  parts: ContextParts,
  lifetimes: Lifetimes,
): Promise<Context & { vapid: VapidKeys; endWaits: () => void }> {
  const { log } = parts
  const clock = parts.clock ?? systemClock
  const metrics = parts.metrics ?? NO_METRICS
  const { monotonicMs } = systemClock
  const observer = metrics.isOn ? { ...metrics.database, monotonicMs } : undefined
  const db = await openDatabase(config, { log, isBesideServer: parts.isBesideServer, observer })
  lifetimes.push(() => db.close())
  await prepareDatabase(db, log)
  const { vapid, signingKey, sealingKey } = await loadSecrets(config, db, log)
  const templates = createTemplates(log)
  lifetimes.push(() => templates.close())
  const { pictureProcesses: processes, pictureCacheMb: cacheMb, fontsDir } = config
  const pictures = createPictures(log, clock, { processes, cacheMb, fontsDir, metrics })
  lifetimes.push(() => pictures.close())
  const passkeys = createPasskeyVerifier(log)
  lifetimes.push(() => passkeys.close())
  const stopping = new AbortController()
  // Every held request and every open callback listens to it, so Node's warning about many listeners is switched off.
  setMaxListeners(0, stopping.signal)
  return {
    config,
    clock,
    log,
    metrics,
    tracing: parts.tracing ?? NO_TRACING,
    db,
    fileContents: config.databaseUrl ? contentsInRows(db) : contentsInFolder(join(config.dataDir, 'files')),
    lastUsed: createLastUsed(db),
    dailyCounts: createDailyCounts(db),
    openStreams: createOpenStreams({ clock, db, log, metrics }),
    appRoom: createAppRoom({ clock, db, log, stopping: stopping.signal }),
    alive: createAlive({ clock, db, log }, systemClock.now),
    slices: createSlices(),
    templates,
    pictures,
    newVariants: createNewVariants(clock),
    passkeys,
    signingKey,
    sealingKey,
    vapid,
    webPushPublicKey: vapid.publicKey,
    stopping: stopping.signal,
    endWaits: () => stopping.abort(),
    apple: openAppleSignInIfConfigured(config, clock, log),
    // A process without a worker leaves its jobs to other processes: they claim them when the leases lapse.
    runNow: async (jobs) => jobs.map(() => 'open'),
    askServer: async () => ({ kind: 'failed', reason: 'this process reaches no other servers' }),
    push: { preview: previewPushes, fits: encryptedFits },
  }
}
