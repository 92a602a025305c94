// Opens connections to the database file, and watches that it stays the file they were opened on.
import { chmodSync, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../../../domain/start-error.ts'
import { FileMoved, troubleOf } from './failures.ts'
import { loadSqlite, type SqliteConnection } from './module.ts'

// While the file is opened nothing else runs yet, and SQLite may wait for other processes itself.
const OPENING_PATIENCE_MS = 5000

// `busyMs` is how long a statement may wait, with the event loop, for another process.
export function connect(file: string, busyMs: number): SqliteConnection {
  const { DatabaseSync } = loadSqlite()
  try {
    const connection = configured(new DatabaseSync(file))
    connection.exec(`pragma busy_timeout = ${busyMs}`)
    return connection
  } catch (error) {
    if (error instanceof StartError || !(error instanceof Error)) throw error
    if (troubleOf(error) === 'damaged')
      throw new StartError(`the database ${file} is damaged (${error.message}); restore a backup`)
    throw new StartError(`the database ${file} cannot be opened (${error.message})`)
  }
}

function configured(connection: SqliteConnection): SqliteConnection {
  connection.exec(`pragma busy_timeout = ${OPENING_PATIENCE_MS}`)
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  connection.exec('pragma foreign_keys = on')
  // A checkpoint copies every page that has changed, with everyone behind it: every 16 MB of log rather than every four.
  connection.exec('pragma wal_autocheckpoint = 4096')
  connection.exec('pragma journal_size_limit = 67108864')
  connection.exec('pragma temp_store = memory')
  // Set per connection, and some builds quietly lower it: a 2xx answer is only as durable as this.
  const level = connection.prepare('pragma synchronous').get() as { synchronous: number }
  if (level.synchronous !== 2)
    throw new StartError('SQLite does not keep synchronous=FULL; accepted writes could be lost.')
  return connection
}

// Readable for the owner alone, wherever the data folder is copied to.
export function makePrivate(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (existsSync(path)) chmodSync(path, 0o600)
    } catch {
      // A file of another owner or on a read-only disk. Whether it can be written is found out by writing.
    }
  }
}

const LOOK_EVERY_MS = 1000

// Returns a function that throws when the file has been removed or replaced. It looks at most once a second.
export function watchFile(file: string, monotonicMs: () => number): () => void {
  const { ino } = statSync(file)
  let lookedAtMs = monotonicMs()
  let isThere = true

  return () => {
    if (!isThere || monotonicMs() - lookedAtMs >= LOOK_EVERY_MS) {
      lookedAtMs = monotonicMs()
      isThere = statSync(file, { throwIfNoEntry: false })?.ino === ino
    }
    if (!isThere) throw new FileMoved(`${file} was removed or replaced`)
  }
}

const ROOM_BYTES = 1024 * 1024

// Room for more than the one change that has just been stored.
export function hasRoom(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize >= ROOM_BYTES
}

// PRAGMA data_version changes only when another connection commits.
export function changeCounterOf(connection: SqliteConnection): () => number {
  const statement = connection.prepare('pragma data_version')
  return () => (statement.get() as { data_version: number }).data_version
}

export function rollback(connection: SqliteConnection): void {
  try {
    connection.exec('rollback')
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

// What is in the log is safe there; a full disk that has no room for it in the file must not fail the stop.
export function closeWriter(connection: SqliteConnection): void {
  try {
    connection.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // The next start finds the log and goes on from it.
  }
  connection.close()
}
