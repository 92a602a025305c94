// The one way to the data: reads see what is committed, writes happen inside `transact` and are on disk when it returns.
// SQLite (store/sqlite.ts) and PostgreSQL (store/postgres.ts) are alike from here on up.
import type { Signals } from './signals.ts'
import type { Sql } from './sql.ts'
import type { Trouble } from './trouble.ts'

export type Reader = {
  all<Row>(query: Sql): Promise<Row[]>
  first<Row>(query: Sql): Promise<Row | undefined>
  // As `all`, for a few rows that are asked for again and again: what is made of them may be remembered, like the first.
  few<Row, Made>(query: Sql, make: (row: Row) => Made): Promise<readonly Made[]>
}

export type Writer = Reader & {
  // The number of rows changed.
  run(query: Sql): Promise<number>
  // Not waited for: sent at once, on disk with the rest. If it fails, so does the transaction.
  write(query: Sql): void
  // The id of the one row that an `insert` adds.
  insert<Id extends number>(query: Sql): Promise<Id>
  // Keeps the rows of a `select` from everyone else until the end, where there is anyone else.
  lock(query: Sql): Promise<void>
  // Told to listeners on every node once the change is committed.
  signal(topic: string): void
}

export type Database = {
  readonly read: Reader
  // All or nothing. The work may run again after a conflict with a neighbour, so it touches nothing but `tx`, and waits
  // for nothing but `tx`: another transaction or a `read` inside it is refused. `unhurried` is for changes of the schema,
  // which may take their time.
  transact<Result>(work: (tx: Writer) => Promise<Result>, pace?: 'unhurried'): Promise<Result>
  // The same work with the same checks and answers, rolled back at the end.
  rehearse<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result>
  // Why the last change could not be stored; undefined once one is stored again.
  trouble(): Trouble | undefined
  readonly signals: Signals
  close(): Promise<void>
}
