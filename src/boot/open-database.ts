// Opens the database that is configured: a SQLite file in the data folder, or PostgreSQL. Brings its schema up to date.
import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartError } from '../domain/errors.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Config } from '../runtime/settings.ts'
import type { Database, DatabaseObserver } from '../store/engine/database.ts'
import { MIGRATIONS, migrate } from '../store/engine/migrate.ts'
import { tryWrite } from '../store/engine/probes.ts'
import { openSqlite } from '../store/engine/sqlite/sqlite.ts'
import { describeTrouble, type ReportTrouble } from '../store/engine/trouble.ts'

// A command on the SQLite file of a running server waits for its lock rather than fail, and checkpoints the log of its
// changes itself: a checkpoint by the server would block the server's event loop.
const BESIDE_SERVER = { lockPatienceMs: 30_000, checkpointPages: 1024 }

// `observer`: for metrics.
type DatabaseOptions = { log: Log; isBesideServer?: boolean; observer?: DatabaseObserver }

export async function openDatabase(config: Config, options: DatabaseOptions): Promise<Database> {
  const { log, isBesideServer, observer } = options
  const report = reportTo(log)
  // Disks and locks take real time, even if a test moves the clock.
  const { monotonicMs } = systemClock
  if (config.databaseUrl) {
    // Loaded only if it is used: the embedded database starts faster without it.
    const { openPostgres } = await import('../store/engine/postgres/postgres.ts')
    return openPostgres(config.databaseUrl.reveal(), {
      report,
      observer,
      monotonicMs,
      connections: config.databaseConnections,
    })
  }
  prepareDataFolder(config.dataDir)
  return openSqlite(sqliteFile(config.dataDir), { report, observer, monotonicMs, ...(isBesideServer && BESIDE_SERVER) })
}

// In PostgreSQL, a database without our tables is one that a server may be about to use.
export function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl || existsSync(sqliteFile(dataDir))) return
  throw new StartError(
    `there is no database in ${dataDir}; give the data folder of the server (--data-dir or HELIOGRAPH_DATA_DIR), or start the server once`,
  )
}

export const sqliteFile = (folder: string) => join(folder, 'heliograph.db')

export async function prepareDatabase(db: Database, log: Log): Promise<void> {
  const applied = await migrate(db)
  await requireWritable(db)
  if (applied.length === MIGRATIONS.length) log.info({ schema: applied.at(-1) }, 'database created')
  else if (applied.length > 0) log.info({ migrations: applied }, 'database schema is up to date')
}

export function prepareDataFolder(folder: string): void {
  try {
    // Resolved: where the working folder was deleted, Node tries a relative path for ever.
    mkdirSync(resolve(folder), { recursive: true, mode: 0o700 })
    // mkdir does not change the mode of a folder that exists; its files are for this server only.
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new StartError(`the data folder ${folder} cannot be written (${reason}); check HELIOGRAPH_DATA_DIR`)
  }
}

// A full disk may pass, so the server starts and is not ready; a read-only database needs the operator.
async function requireWritable(db: Database): Promise<void> {
  await tryWrite(db).catch(() => {})
  if (db.trouble() !== 'read-only') return
  throw new StartError('the database is read-only; check the owner, the mode and the disk of its files')
}

const reportTo =
  (log: Log): ReportTrouble =>
  (trouble) => {
    if (trouble) log.error({ trouble }, describeTrouble(trouble))
    else log.info('the database stores changes again')
  }
