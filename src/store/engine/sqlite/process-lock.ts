// One serving process per data folder. The lock is SQLite's file lock on an empty database. The operating system releases
// it when the process ends, even by a crash, so there is no stale lock to remove by hand.
import { join } from 'node:path'
import { StartError } from '../../../domain/errors.ts'
import { loadSqlite, makePrivate, type SqliteConnection, troubleOf } from './connection.ts'

export function lockDataFolder(folder: string): () => void {
  const { DatabaseSync } = loadSqlite()
  const file = join(folder, 'serving.lock')
  let lock: SqliteConnection | undefined
  try {
    lock = new DatabaseSync(file)
    lock.exec('pragma busy_timeout = 0')
    lock.exec('begin exclusive')
    makePrivate(file)
  } catch (error) {
    lock?.close()
    throw new StartError(isHeld(error) ? heldBySomeone(folder) : `${file} cannot be locked (${reasonOf(error)})`)
  }
  return () => lock.close()
}

const isHeld = (error: unknown) => troubleOf(error) === 'locked'
const heldBySomeone = (folder: string) =>
  `another Heliograph process already serves the data folder ${folder}; stop it first`
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : error)
