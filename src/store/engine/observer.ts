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
