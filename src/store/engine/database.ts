// The one way to the data: reads see what is committed, writes happen inside `transact` and are on disk when it returns.
// SQLite (sqlite/sqlite.ts) and PostgreSQL (postgres/postgres.ts) behave alike from here on up.
import type { Signals } from './signals.ts'
import type { Sql } from './sql.ts'
import type { Trouble } from './trouble.ts'

export type Reader = {
  all<Row>(query: Sql): Promise<Row[]>
  first<Row>(query: Sql): Promise<Row | undefined>
  // Returns what `make` makes of the rows. On SQLite the result is kept in memory until a table of the query changes
  // (sqlite/read-cache.ts); callers share it, so it is frozen. For the few queries that every request makes.
  cached<Row, Result>(query: Sql, make: (rows: Row[]) => Result): Promise<Result>
}

export type Writer = Reader & {
  // Returns the number of rows changed.
  run(query: Sql): Promise<number>
  // Sends the statement without waiting for its answer, which saves a round trip on PostgreSQL. If it fails, the
  // transaction fails.
  write(query: Sql): void
  // Returns the id of the one row that an `insert` adds.
  insert<Id extends number>(query: Sql): Promise<Id>
  // Locks the rows of a `select` until the end of the transaction. SQLite has one writer at a time and needs no lock.
  lock(query: Sql): Promise<void>
  // Signals the topic to listeners on every node after the commit.
  signal(topic: string): void
}

export type Database = {
  readonly read: Reader
  // All or nothing. The work may run again after a conflict, so it has no effects but those through `tx`. It awaits nothing
  // but `tx`: another transaction or a `read` inside it is refused. `noTimeout` is for changes of the
  // schema, which may take long.
  transact<Result>(work: (tx: Writer) => Promise<Result>, options?: { noTimeout: true }): Promise<Result>
  // Runs the same work with the same checks and answers, and rolls it back.
  rehearse<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result>
  // Why the last change could not be stored; undefined once one is stored again.
  trouble(): Trouble | undefined
  readonly signals: Signals
  close(): Promise<void>
}
