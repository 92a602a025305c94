// The checks of a server, for "heliograph doctor" and for the console.

import { type ChannelProbes, channelChecks } from '../operations/doctor/channels.ts'
import { dataFolderChecks } from '../operations/doctor/data-folder.ts'
import { databaseChecks } from '../operations/doctor/database.ts'
import { BUSY, type Check, describeError, type Finding, failure, ok, runChecks } from '../operations/doctor/finding.ts'
import { pictureChecks } from '../operations/doctor/pictures.ts'
import { processChecks } from '../operations/doctor/process.ts'
import { publicUrlChecks, signProbe } from '../operations/doctor/public-url.ts'
import { probeApns } from '../push/channels/apns/apns.ts'
import { checkSmtpLogin } from '../push/channels/smtp.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { createLog } from '../runtime/log.ts'
import { createPictures } from '../runtime/pictures/pictures.ts'
import type { Config } from '../runtime/settings.ts'
import type { Snapshot } from '../store/engine/backup.ts'
import type { Reader } from '../store/engine/database.ts'
import { openSnapshot } from './backups.ts'
import { apnsOptions, barkOptions, smtpOptions } from './provider-settings.ts'
import { readSecrets } from './secrets.ts'

// `ca` is trusted instead of the default certificate authorities.
type Parts = { clock: Clock; ca?: string }

// Opens the database itself, and changes nothing.
export async function diagnose(config: Config): Promise<Finding[]> {
  const parts = { clock: systemClock }
  try {
    const snapshot = await openSnapshot(config)
    try {
      const ofCommand = await runChecks([...poolerChecks(config), damageCheck(snapshot)], parts.clock)
      return [...(await checkServer(config, snapshot, parts)), ...ofCommand]
    } finally {
      await snapshot.close()
    }
  } catch (error) {
    const unreachable: Check = { name: 'database', look: async () => describeError(error) }
    const others = [...surroundings(config, parts), ...publicUrlChecks({ config, probe: undefined })]
    return runChecks([...processChecks(config), unreachable, ...others], parts.clock)
  }
}

// Only for the command: in the server it would hold up all requests for as long as the file takes to read.
const damageCheck = (snapshot: Snapshot): Check => ({
  name: 'database pages',
  late: BUSY,
  async look() {
    const damage = await snapshot.findDamage()
    if (damage === undefined) return ok('no damage was found')
    return failure(
      `the database is damaged: ${damage}`,
      'stop the server, keep a copy of the data folder, and restore the last backup into an empty one; then check the disk',
    )
  },
})

function poolerChecks({ databaseUrl }: Config): Check[] {
  if (!databaseUrl) return []
  const look = async () => {
    const { checkPooler } = await import('../store/engine/postgres/server-check.ts')
    await checkPooler(databaseUrl.reveal())
    return ok('connections keep their session')
  }
  return [{ name: 'sessions', look }]
}

export async function checkServer(config: Config, db: Reader, parts: Parts): Promise<Finding[]> {
  const { clock } = parts
  const secrets = await readSecrets(config, db).catch((error: unknown) => ({ error }))
  const isReadable = !('error' in secrets)
  const probe = isReadable ? signProbe(secrets.signingKey, clock.now()) : undefined
  const lookAtSecrets = async () =>
    isReadable ? ok('the signing key, the sealing key and the VAPID keys are usable') : describeError(secrets.error)
  const checks = [
    ...processChecks(config),
    ...databaseChecks(db, clock, config.plans),
    { name: 'secrets', look: lookAtSecrets },
    ...surroundings(config, parts),
    ...pictureChecks(picturesOf(config), config.fontsDir),
    ...publicUrlChecks({ config, probe }),
  ]
  return runChecks(checks, clock)
}

// What can be checked without the database.
function surroundings(config: Config, parts: Parts): Check[] {
  const folder = config.databaseUrl ? [] : dataFolderChecks(config.dataDir)
  return [...folder, ...channelChecks(probesOf(config, parts), config.publicUrl)]
}

// A process of its own, so that the checks do not wait behind pictures of accounts.
function picturesOf({ pictures, pictureProcesses, fontsDir }: Config) {
  if (!pictures || pictureProcesses === 0) return undefined
  return () => createPictures(createLog('silent', 'json'), systemClock, { processes: 1, cacheMb: 1, fontsDir })
}

const MAIL_DEADLINE_MS = 8000

function probesOf(config: Config, { clock, ca }: Parts): ChannelProbes {
  // A refusal is a finding here, not an alarm.
  const log = createLog('silent', 'json')
  const probeOf = (options: ReturnType<typeof apnsOptions>) =>
    options &&
    ((environment: 'production' | 'sandbox') => probeApns({ ...options, clock, log, tls: { ca } }, environment))
  return {
    apns: () => probeOf(apnsOptions(config)),
    bark: () => probeOf(barkOptions(config)),
    mail() {
      const options = smtpOptions(config)
      return options && (() => checkSmtpLogin({ ...options, ca }, AbortSignal.timeout(MAIL_DEADLINE_MS)))
    },
  }
}
