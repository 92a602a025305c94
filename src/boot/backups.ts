// Backs up the configured database with its secrets, and restores them into an empty one.
import { existsSync, renameSync, rmSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Problem } from '../contract/problems.ts'
import { errorCode, StartError } from '../domain/errors.ts'
import { backUp, type SecretTexts } from '../operations/backup/back-up.ts'
import { type Restored, restoreBackup } from '../operations/backup/restore.ts'
import { systemClock } from '../runtime/clock.ts'
import { readSecretFile, storeSecretFile, syncFolder } from '../runtime/durable-files.ts'
import type { Config } from '../runtime/settings.ts'
import type { NewDatabase, Snapshot } from '../store/engine/backup.ts'
import { createSqlite, openSqliteSnapshot } from '../store/engine/sqlite/backup.ts'
import { lockDataFolder } from '../store/engine/sqlite/process-lock.ts'
import { insertSecretUnlessTaken } from '../store/server.ts'
import { prepareDataFolder, sqliteFile } from './open-database.ts'
import { readSecretTexts, secretPath } from './secrets.ts'

// Returns the number of rows. The server may run meanwhile.
export async function writeBackup(config: Config, sink: Writable): Promise<number> {
  const snapshot = await openSnapshot(config)
  let rows = 0
  try {
    const secrets = await readSecretTexts(config, snapshot)
    const text = async function* () {
      rows = yield* backUp(snapshot, secrets, systemClock.now())
    }
    await pipeline(text, createGzip(), sink)
    return rows
  } catch (error) {
    throw inOneLine(error, 'the backup cannot be made')
  } finally {
    await snapshot.close()
  }
}

export async function restoreFrom(config: Config, compressed: AsyncIterable<Buffer>): Promise<Restored> {
  const target = config.databaseUrl ? await fillDatabase(config.databaseUrl.reveal()) : fillFolder(config.dataDir)
  try {
    const restored = await restoreBackup(target.db, compressed)
    await target.publish(restored.secrets)
    return restored
  } catch (error) {
    throw inOneLine(error, 'the backup cannot be restored')
  } finally {
    await target.close()
  }
}

// Failures of a disk, a pipe or a database have a code and are told without a stack trace; mistakes of ours have none.
function inOneLine(error: unknown, what: string): unknown {
  if (error instanceof Problem || !(error instanceof Error) || errorCode(error) === undefined) return error
  return new StartError(`${what} (${error.message})`)
}

export async function openSnapshot({ databaseUrl, dataDir }: Config): Promise<Snapshot> {
  if (!databaseUrl) return openSqliteSnapshot(sqliteFile(dataDir))
  const { openPostgresSnapshot } = await import('../store/engine/postgres/backup.ts')
  return openPostgresSnapshot(databaseUrl.reveal())
}

type Target = {
  db: NewDatabase
  // Makes the restored server visible to others.
  publish(secrets: SecretTexts): Promise<void>
  // Removes what was not published.
  close(): Promise<void>
}

async function fillDatabase(url: string): Promise<Target> {
  const { fillPostgres } = await import('../store/engine/postgres/backup.ts')
  const db = await fillPostgres(url)
  return {
    db,
    async publish(secrets) {
      for (const [name, text] of secrets) await insertSecretUnlessTaken(db.tx, name, text)
      await db.commit()
    },
    close: () => db.abandon(),
  }
}

// The database is filled beside its place and gets its name last. A restore that is killed leaves a folder without a
// database, and perhaps the secrets of this backup: it can be repeated.
function fillFolder(folder: string): Target {
  prepareDataFolder(folder)
  const unlock = lockDataFolder(folder)
  const file = sqliteFile(folder)
  const draft = `${file}.restoring`
  try {
    requireNoDatabase(folder)
    rmSync(draft, { force: true })
    const db = createSqlite(draft)
    return {
      db,
      async publish(secrets) {
        requireNoOtherSecrets(folder, secrets)
        await db.commit()
        for (const [name, text] of secrets) storeSecretFile(secretPath(folder, name), text)
        renameSync(draft, file)
        syncFolder(folder)
      },
      async close() {
        await db.abandon()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

// A log without its database counts: SQLite would apply it to the restored one.
function requireNoDatabase(folder: string): void {
  const file = sqliteFile(folder)
  const found = [file, `${file}-wal`, `${file}-journal`].find((path) => existsSync(path))
  if (!found) return
  throw new StartError(`${found} exists already; restore into an empty data folder (--data-dir)`)
}

function requireNoOtherSecrets(folder: string, secrets: SecretTexts): void {
  for (const [name, text] of secrets) {
    const known = readSecretFile(secretPath(folder, name))
    if (known === undefined || known === text) continue
    throw new StartError(
      `${secretPath(folder, name)} is the secret of another server; restore into an empty data folder`,
    )
  }
}
