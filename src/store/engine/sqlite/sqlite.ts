// The embedded database. One connection writes (commits.ts), another reads what is committed.
import type { Database, DatabaseObserver, Reader } from '../database.ts'
import { createSignals } from '../signals.ts'
import { type Compile, createCompile, type Sql } from '../sql.ts'
import { createTroubleRecord, type ReportTrouble, type TroubleRecord, unavailable } from '../trouble.ts'
import { createCommits } from './commits.ts'
import { changeCounterOf, closeWriter, connect, hasRoom, makePrivate, troubleOf, watchFile } from './connection.ts'
import { createReadCache, type ReadCache } from './read-cache.ts'
import { findTables } from './statement-tables.ts'
import { type Prepare, prepareOnce } from './statements.ts'

export type SqliteOptions = {
  monotonicMs(): number
  // How long a change waits for another process that holds the write lock.
  lockPatienceMs?: number
  // See `connect`.
  checkpointPages?: number
  report?: ReportTrouble
  observer?: DatabaseObserver
}

// For developers whose work breaks a rule of `transact`.
const nestedTransaction = () =>
  new Error('A transaction was begun inside the work of another, a deadlock: pass `tx` on, or begin it afterwards.')
const nestedRead = () =>
  new Error('A work used `db.read`, which does not see the changes of its transaction: read through `tx`.')

// Other processes block readers only briefly, for example while one recovers the log.
const READER_BUSY_MS = 20

export function openSqlite(file: string, options: SqliteOptions): Database {
  const { monotonicMs, lockPatienceMs = 5000, checkpointPages, report, observer } = options
  // A busy writer fails at once and is retried by a timer, so that the event loop never blocks on the lock.
  const writer = connect(file, 0, checkpointPages)
  const reader = connect(file, READER_BUSY_MS)
  makePrivate(file)
  const cache = createReadCache({
    changeCounter: changeCounterOf(writer),
    tablesReadBy: (text) => findTables(reader, text).read,
  })
  const compile = createCompile('sqlite')
  const signals = createSignals()
  const troubles = createTroubleRecord(report, (trouble) => trouble !== 'full' || hasRoom(file))
  const requireFile = watchFile(file, monotonicMs)
  const commits = createCommits({
    connection: writer,
    compile,
    cache,
    signals,
    troubles,
    requireFile,
    monotonicMs,
    lockPatienceMs,
    observer,
  })

  function enqueue<Result>(...[work, keep]: Parameters<typeof commits.enqueue<Result>>): Promise<Result> {
    return commits.isRunningWork() ? Promise.reject(nestedTransaction()) : commits.enqueue(work, keep)
  }

  return {
    read: readCommitted({
      compile,
      prepare: prepareOnce(reader),
      cache,
      troubles,
      isRunningWork: commits.isRunningWork,
      timed: observer ? timedBy(observer) : (read) => read(),
    }),
    transact: (work) => enqueue(work, true),
    reserveId: async () => undefined,
    rehearse: (work) => enqueue(work, false),
    trouble() {
      try {
        requireFile()
      } catch {
        troubles.failed('moved')
      }
      return troubles.current()
    },
    load: () => ({ waiting: commits.waiting() }),
    signals,
    async close() {
      await commits.idle()
      reader.close()
      closeWriter(writer)
    },
  }
}

type ReaderParts = {
  compile: Compile
  prepare: Prepare
  cache: ReadCache
  troubles: TroubleRecord
  isRunningWork(): boolean
  timed: Timed
}

type Timed = <Result>(read: () => Result) => Result

const timedBy =
  (observer: DatabaseObserver): Timed =>
  (read) => {
    const startedMs = observer.monotonicMs()
    const result = read()
    observer.readEnded(observer.monotonicMs() - startedMs)
    return result
  }

function readCommitted({ compile, prepare, cache, troubles, isRunningWork, timed }: ReaderParts): Reader {
  const attempt = <Result>(read: () => Result): Result => {
    if (isRunningWork()) throw nestedRead()
    try {
      return read()
    } catch (error) {
      const trouble = troubleOf(error)
      if (trouble === 'damaged') troubles.failed(trouble)
      throw trouble ? unavailable(trouble, error) : error
    }
  }
  return {
    async all<Row>(query: Sql) {
      const { text, values } = compile(query)
      return attempt(() => timed(() => prepare(text).all(values))) as Row[]
    },
    async first<Row>(query: Sql) {
      const { text, values } = compile(query)
      return attempt(() => timed(() => prepare(text).first(values))) as Row | undefined
    },
    async cached<Row, Result>(query: Sql, make: (rows: Row[]) => Result) {
      const { text, values } = compile(query)
      return attempt(() => cache.get(text, values, () => timed(() => prepare(text).all(values)) as Row[], make))
    },
  }
}
