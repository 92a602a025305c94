// Opens connections to the database file, watches that it stays the file they were opened on, and classifies its errors.
import { chmodSync, existsSync, statfsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../../domain/errors.ts'
import type { Trouble } from '../trouble.ts'

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

export type SqliteConnection = DatabaseSync

const require = createRequire(import.meta.url)

export function loadSqlite(): typeof import('node:sqlite') {
  return withoutSqliteWarning(() => require('node:sqlite'))
}

// Node 22 warns that its SQLite is experimental each time it is loaded. Users can do nothing about that warning.
function withoutSqliteWarning<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite')) emitWarning.call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

// The low byte of the result code, as https://www.sqlite.org/rescode.html lists them.
const TROUBLES: Record<number, Trouble> = {
  5: 'locked',
  6: 'locked',
  8: 'read-only',
  10: 'failing',
  11: 'damaged',
  13: 'full',
  14: 'failing',
  15: 'locked',
  26: 'damaged',
}
const READONLY_DBMOVED = 1032

// Returns undefined if the statement is at fault and not the file.
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof FileMoved) return 'moved'
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  const code = Number(error.errcode)
  return code === READONLY_DBMOVED ? 'moved' : TROUBLES[code & 0xff]
}

// SQLite keeps writing into a file that was unlinked or replaced. Those writes are lost when the process ends.
export class FileMoved extends Error {}
