// Opens connections to the database file, and watches that it stays the file they were opened on.
import { chmodSync, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../../../domain/errors.ts'
import { FileMoved, troubleOf } from './failures.ts'
import { loadSqlite, type SqliteConnection } from './module.ts'

// SQLite may block the event loop while the file is opened: no request is served yet.
const OPENING_PATIENCE_MS = 5000

// A checkpoint copies all changed pages and blocks other requests: every 16 MB of log instead of SQLite's 4 MB.
const CHECKPOINT_PAGES = 4096

// `busyMs`: how long a statement may block the event loop while another process holds a lock. `checkpointPages`: the length
// of the log at which a commit of this connection checkpoints it.
export function connect(file: string, busyMs: number, checkpointPages = CHECKPOINT_PAGES): SqliteConnection {
  const { DatabaseSync } = loadSqlite()
  try {
    const connection = configured(new DatabaseSync(file))
    connection.exec(`pragma wal_autocheckpoint = ${checkpointPages}`)
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
  connection.exec('pragma journal_size_limit = 67108864')
  connection.exec('pragma temp_store = memory')
  // Read back, because some builds of SQLite lower it silently, and the durability of every 2xx answer depends on it.
  const level = connection.prepare('pragma synchronous').get() as { synchronous: number }
  if (level.synchronous !== 2)
    throw new StartError('SQLite does not keep synchronous=FULL; accepted writes could be lost.')
  return connection
}

// The files stay readable for their owner alone when the data folder is copied elsewhere.
export function makePrivate(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (existsSync(path)) chmodSync(path, 0o600)
    } catch {
      // The file has another owner or is on a read-only disk. The first write will tell whether it can be written.
    }
  }
}

const FILE_CHECK_MS = 1000

// Returns a function that throws when the file has been removed or replaced. It checks at most once a second.
export function watchFile(file: string, monotonicMs: () => number): () => void {
  const { ino } = statSync(file)
  let checkedAtMs = monotonicMs()
  let isSameFile = true

  return () => {
    if (!isSameFile || monotonicMs() - checkedAtMs >= FILE_CHECK_MS) {
      checkedAtMs = monotonicMs()
      isSameFile = statSync(file, { throwIfNoEntry: false })?.ino === ino
    }
    if (!isSameFile) throw new FileMoved(`${file} was removed or replaced`)
  }
}

const ROOM_BYTES = 1024 * 1024

// Whether the disk has room for more than the one change that has just been stored.
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
    // SQLite rolls back by itself when the disk is full.
  }
}

// A checkpoint fails when the disk is full. That must not fail the stop: the log is durable as it is.
export function closeWriter(connection: SqliteConnection): void {
  try {
    connection.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // The next start recovers from the log.
  }
  connection.close()
}
