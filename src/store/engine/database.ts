// The one way to the data: reads see what is committed, writes happen inside `transact` and are on disk when it returns.
// SQLite (sqlite/sqlite.ts) and PostgreSQL (postgres/postgres.ts) behave alike from here on up.
//
// Lock order. On PostgreSQL every update, delete, upsert and `lock` holds its row until the commit. A transaction that
// locks rows of several tables locks them in this order, so that no two wait for each other. (PostgreSQL ends a deadlock
// after a second, and the transaction that lost runs again.)
//
//   jobs                      the claimed jobs that this transaction settles
//   idempotency_keys · used_nonces · apple_identities · email_recipients
//   users                     the account, or several: an organization first, then people in the order of their ids
//   memberships and the groups, tags and join codes of an organization, under the lock on its row of users
//   integration_keys · hooks · storms · demos · open_waits · event_streams
//   jobs, schedules           the waiting job of a schedule, then the schedule
//   heartbeats                before the account if an alert of one needs the lock of the account, as for schedules
//   answers · widgets · activities
//   join_codes · shares
//   app_links
//   devices · device_tags · tokens
//   push_endpoints
//   usage
//   receipts · notifications
//   device_pushes · activity_screens · push_tokens
//   feeds                     a last step (Writer.later): every change of the account needs it; several in the order of their accounts
//
// Several rows of one table are locked in the order of their ids; widgets and activities, as by groups, in the order of their slugs.
// Inserts of new rows lock nothing that others wait for. A job with a key is enqueued under the lock of the row it belongs to, so it
// may come at any later point. A transaction that settles jobs of several accounts locks one after the other, by their ids.
//
// Two transactions deviate, and run again if they lose: a scheduled send with `acknowledge` locks `schedules` before `users`, and
// a step of an escalation locks the receipt before the usage that its e-mails are charged to. A send that waits for its pushes takes
// the step of the feeds before it enqueues them (operations/push/enqueue.ts).
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
  execute(query: Sql): Promise<number>
  // Sends the statement without waiting for its answer, which saves a round trip on PostgreSQL. If it fails, the
  // transaction fails.
  queue(query: Sql): void
  // Returns the id of the one row that an `insert` adds.
  insert<Id extends number>(query: Sql): Promise<Id>
  // Locks the rows of a `select` until the end of the transaction. SQLite has one writer at a time and needs no lock.
  lock(query: Sql): Promise<void>
  // Signals the topic to listeners on every node after the commit.
  signal(topic: string): void
  // Collects the item for `step`, which gets the items of all works of the transaction, when they have ended or at `takeNow`.
  later<Item>(step: LastStep<Item>, item: Item): void
  // For a work that reads what the step changes.
  takeNow<Item>(step: LastStep<Item>): void
  // For a work of a group that decides by other rows than its own, which works beside it may be changing. It then runs again, without
  // them, so it calls this before it changes anything.
  requireAlone(): void
}

// Queues statements, and awaits nothing.
export type LastStep<Item> = (tx: Writer, items: Item[]) => void

// On PostgreSQL works share transactions (postgres/groups.ts has the model). `kind`: works of one kind lock rows of the same tables
// in the same order. `account`: the one whose rows a work locks, besides feeds; those of an account run in one transaction at a
// time. Works that name the same `row` of an account run one after the other, all others interleaved. SQLite groups all works, and
// runs one after the other.
export type Group = { kind: string; account: string; row?: string }

// `before`: the result of the work that has changed the same row just before, in the same transaction. The row is locked and
// its state is known, so it need not be read again. Works of one key and row return the same type.
export type Work<Result> = (tx: Writer, before?: Result) => Promise<Result>

export type TransactOptions = {
  // For changes of the schema, which may take long.
  noTimeout?: true
  group?: Group
}

// The sequences of which ids are reserved, by their names on PostgreSQL.
export type Sequence = 'notifications_id_seq'

export type Database = {
  readonly read: Reader
  // All or nothing. The work may run again after a conflict, so it has no effects but those through `tx`. It awaits nothing
  // but `tx`: SQLite refuses another transaction or a `read` inside it, and every work runs there in the tests.
  transact<Result>(work: Work<Result>, options?: TransactOptions): Promise<Result>
  // An id for a row that a later transaction inserts: on PostgreSQL, that transaction need not wait for the id. Undefined if
  // there is none, and on SQLite, where the id of an inserted row is known at once. Never rejects.
  reserveId(sequence: Sequence): Promise<number | undefined>
  // Runs the same work with the same checks and answers, and rolls it back.
  rehearse<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result>
  // Why the last change could not be stored; undefined once one is stored again.
  trouble(): Trouble | undefined
  load(): DatabaseLoad
  readonly signals: Signals
  close(): Promise<void>
}

// What the engine reports about its work, for metrics. Without an observer it reads no clock for it.
export type DatabaseObserver = {
  monotonicMs(): number
  // From the request for a transaction to its commit or rollback.
  transactionEnded(ms: number): void
  // A query outside of transactions.
  readEnded(ms: number): void
  // Transactions that shared one commit of SQLite, from its begin to its end.
  groupCommitted(size: number, ms: number): void
}

// How busy the database is at this moment. SQLite has no connections that are worth counting.
export type DatabaseLoad = {
  // Transactions that wait for their turn, or on PostgreSQL work that waits for a connection.
  waiting: number
  connections?: { used: number; idle: number }
}
