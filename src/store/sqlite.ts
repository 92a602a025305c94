// The embedded database. One connection writes, another reads what is committed.
// Transactions that arrive together share one commit, and so one fsync: they run one after the other, and their answers
// are released after the commit. One that fails is undone alone, for which the others run again, each in a savepoint of
// its own; savepoints for all would cost more than that. A failing commit fails all.
import { Problem } from '../contract/problems.ts'
import { StartError } from '../domain/start-error.ts'
import type { Database, Reader, Writer } from './database.ts'
import { createReadCache, type ReadCache } from './read-cache.ts'
import { createSignals } from './signals.ts'
import { compile, type Sql } from './sql.ts'
import { loadSqlite, type SqliteConnection } from './sqlite-module.ts'
import { prepareOnce } from './sqlite-statements.ts'

type Outcome = { result: unknown } | { error: unknown }
type Work = { run: (tx: Writer) => Promise<unknown>; keep: boolean; settle: (outcome: Outcome) => void }

const TO_BE_UNDONE = new Error('one of the group has failed and left something to undo')

// Bounds how long the first of a crowd waits for the last.
const LARGEST_GROUP = 256

export function openSqlite(file: string): Database {
  const writer = connect(file)
  const reader = connect(file)
  const cache = createReadCache({ changeCounter: changeCounterOf(writer), parentTables: () => parentTablesOf(writer) })
  const say = prepareOnce(writer)
  const signals = createSignals()
  const waiting: Work[] = []
  let committing = false

  function enqueue<Result>(run: (tx: Writer) => Promise<Result>, keep: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      waiting.push({
        run,
        keep,
        settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result as Result)),
      })
      // Not now but at the end of this turn of the event loop, when everyone who arrives with us has arrived.
      if (!committing) setImmediate(commitWaiting)
      committing = true
    })
  }

  async function commitWaiting() {
    await commitGroup(waiting.splice(0, LARGEST_GROUP))
    committing = waiting.length > 0
    if (committing) setImmediate(commitWaiting)
  }

  async function commitGroup(group: Work[], eachApart = false) {
    const topics = new Set<string>()
    const ran = new Set<string>()
    const settled: { work: Work; outcome: Outcome }[] = []
    try {
      say('begin immediate').act()
      for (const work of group) {
        const isApart = eachApart || !work.keep
        settled.push({ work, outcome: await (isApart ? runApart : runAmongOthers)(work, topics, ran) })
      }
      say('commit').act()
      cache.committed(ran)
    } catch (error) {
      rollback(writer)
      if (error === TO_BE_UNDONE) return commitGroup(group, true)
      for (const work of group) work.settle({ error: unavailable(error) })
      return
    }
    for (const { work, outcome } of settled) work.settle(outcome)
    signals.publish(topics)
  }

  async function runApart(work: Work, topics: Set<string>, ran: Set<string>): Promise<Outcome> {
    const mine = new Set<string>()
    say('savepoint work').act()
    const { outcome } = await run(work, mine, ran)
    if ('error' in outcome || !work.keep) say('rollback to work').act()
    else for (const topic of mine) topics.add(topic)
    say('release work').act()
    return outcome
  }

  async function runAmongOthers(work: Work, topics: Set<string>, ran: Set<string>): Promise<Outcome> {
    const { outcome, hasActed } = await run(work, topics, ran)
    if ('error' in outcome && hasActed) throw TO_BE_UNDONE
    return outcome
  }

  async function run(work: Work, topics: Set<string>, ran: Set<string>) {
    const { tx, end } = openWriter(writer, topics, ran)
    try {
      const result = await work.run(tx)
      return { outcome: { result }, hasActed: end() }
    } catch (error) {
      const hasActed = end()
      if (isStorageFailure(error)) throw error
      return { outcome: { error }, hasActed }
    }
  }

  return {
    read: readCommitted(reader, cache),
    transact: (work) => enqueue(work, true),
    rehearse: (work) => enqueue(work, false),
    signals,
    async close() {
      while (committing) await new Promise(setImmediate)
      reader.close()
      tidyUp(writer)
      writer.close()
    },
  }
}

function connect(file: string): SqliteConnection {
  const { DatabaseSync } = loadSqlite()
  try {
    return configured(new DatabaseSync(file))
  } catch (error) {
    if (error instanceof StartError || !(error instanceof Error)) throw error
    throw new StartError(`the database ${file} cannot be opened (${error.message})`)
  }
}

function configured(connection: SqliteConnection): SqliteConnection {
  connection.exec('pragma busy_timeout = 5000')
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

function readCommitted(connection: SqliteConnection, cache: ReadCache): Reader {
  const prepared = prepareOnce(connection)
  const attempt = <Result>(read: () => Result): Result => {
    try {
      return read()
    } catch (error) {
      throw isStorageFailure(error) ? unavailable(error) : error
    }
  }
  return {
    async all<Row>(query: Sql) {
      const { text, values } = compile(query, 'sqlite')
      return attempt(() => prepared(text).all(values)) as Row[]
    },
    async first<Row>(query: Sql) {
      const { text, values } = compile(query, 'sqlite')
      return attempt(() => cache.remember(text, values, () => prepared(text).first(values) as Row | undefined, itself))
    },
    async few<Row, Made>(query: Sql, make: (row: Row) => Made) {
      const { text, values } = compile(query, 'sqlite')
      const list = (rows: Row[]) => rows.map(make)
      return attempt(() => cache.remember(text, values, () => prepared(text).all(values) as Row[], list)) ?? []
    },
  }
}

const itself = <Row>(row: Row) => row

// Of the connection that writes: it does not move with what this connection commits itself.
function changeCounterOf(connection: SqliteConnection): () => number {
  const statement = connection.prepare('pragma data_version')
  return () => (statement.get() as { data_version: number }).data_version
}

function parentTablesOf(connection: SqliteConnection): Set<string> {
  const rows = connection
    .prepare(`select distinct f."table" as name from sqlite_master m join pragma_foreign_key_list(m.name) f
      where m.type = 'table'`)
    .all() as { name: string }[]
  return new Set(rows.map(({ name }) => name))
}

// After `end`, a forgotten `await` in the work fails loudly instead of writing into a neighbour's transaction. `end` tells
// whether there is anything to undo.
function openWriter(
  connection: SqliteConnection,
  topics: Set<string>,
  ran: Set<string>,
): { tx: Writer; end: () => boolean } {
  const prepared = prepareOnce(connection)
  let open = true
  let hasActed = false
  const begin = (query: Sql) => {
    if (!open) throw new Error('This transaction has ended.')
    const { text, values } = compile(query, 'sqlite')
    ran.add(text)
    hasActed ||= !READING.test(text)
    return { statement: prepared(text), values }
  }
  const tx: Writer = {
    async all<Row>(query: Sql) {
      const { statement, values } = begin(query)
      return statement.all(values) as Row[]
    },
    async first<Row>(query: Sql) {
      const { statement, values } = begin(query)
      return statement.first(values) as Row | undefined
    },
    async few<Row, Made>(query: Sql, make: (row: Row) => Made) {
      const { statement, values } = begin(query)
      return (statement.all(values) as Row[]).map(make)
    },
    async run(query) {
      const { statement, values } = begin(query)
      return Number(statement.run(...values).changes)
    },
    write(query) {
      const { statement, values } = begin(query)
      statement.act(values)
    },
    // Cheaper than `returning`.
    async insert<Id extends number>(query: Sql) {
      const { statement, values } = begin(query)
      return Number(statement.run(...values).lastInsertRowid) as Id
    },
    // There is one writer at a time, and it is us.
    async lock() {},
    signal(topic) {
      hasActed = true
      topics.add(topic)
    },
  }
  const end = () => {
    open = false
    return hasActed
  }
  return { tx, end }
}

const READING = /^\s*select\b/i

function rollback(connection: SqliteConnection) {
  try {
    connection.exec('rollback')
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

// What is in the log is safe there; that a full disk has no room for it elsewhere must not fail the stop.
function tidyUp(connection: SqliteConnection) {
  try {
    connection.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // The next start finds the log and goes on from it.
  }
}

const unavailable = (cause: unknown) =>
  new Problem('service.unavailable', 'The database cannot be used right now; try again shortly.', {}, cause)

// busy 5, locked 6, read-only 8, I/O error 10, damaged 11, disk full 13, cannot open 14: the low byte of the code.
const STORAGE_FAILURES = new Set([5, 6, 8, 10, 11, 13, 14])
// The package for older Node leaves the code out of what `all` throws; SQLite's own words are the same everywhere.
const STORAGE_WORDS = /is locked|readonly database|disk I\/O error|malformed|disk is full|unable to open database/

function isStorageFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'errcode' in error
    ? STORAGE_FAILURES.has(Number(error.errcode) & 0xff)
    : 'code' in error && error.code === 'ERR_SQLITE_ERROR' && STORAGE_WORDS.test(error.message)
}
