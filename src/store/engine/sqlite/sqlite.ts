// The embedded database. One connection writes (commits.ts), another reads what is committed.
import type { Database, DatabaseObserver } from '../database.ts'
import { readerOf } from '../reader.ts'
import { createSignals } from '../signals.ts'
import { type Compiled, createCompile, type Sql } from '../sql.ts'
import { createTroubleRecord, type ReportTrouble, unavailable } from '../trouble.ts'
import { createCommits } from './commits.ts'
import { changeCounterOf, closeWriter, connect, hasRoom, makePrivate, troubleOf, watchFile } from './connection.ts'
import { createReadCache } from './read-cache.ts'
import { findTables } from './statement-tables.ts'
import { prepareOnce } from './statements.ts'

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
const NESTED = 'A work used `db.read`, which does not see the changes of its transaction: read through `tx`.'

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
  const prepare = prepareOnce(reader)
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

  function load<Row>({ text, values }: Compiled): Row[] {
    const startedMs = observer?.monotonicMs() ?? 0
    const rows = prepare(text).all(values)
    observer?.readEnded(observer.monotonicMs() - startedMs)
    return rows as Row[]
  }

  async function readCommitted<Result>(query: Sql, read: (compiled: Compiled) => Result): Promise<Result> {
    if (commits.isRunningWork()) throw new Error(NESTED)
    try {
      return read(compile(query))
    } catch (error) {
      const trouble = troubleOf(error)
      if (trouble === 'damaged') troubles.failed(trouble)
      throw trouble ? unavailable(trouble, error) : error
    }
  }

  return {
    read: {
      ...readerOf(<Row>(query: Sql) => readCommitted(query, load<Row>)),
      cached: (query, make) => readCommitted(query, (compiled) => cache.get(compiled, load, make)),
    },
    transact: (work) => commits.enqueue(work, true),
    reserveId: async () => undefined,
    rehearse: (work) => commits.enqueue(work, false),
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
