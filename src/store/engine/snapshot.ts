// A consistent view of the whole database while others go on writing, for as long as a backup takes to read it.
import type { Reader } from './database.ts'
import type { Sql, SqlValue } from './sql.ts'

export type Snapshot = Reader & {
  // The cells of a `select`, a few hundred rows at a time: memory is bounded however many rows there are.
  batches(query: Sql): AsyncIterable<SqlValue[][]>
  // What is wrong with the pages of the database file, if anything. Reads all of it. PostgreSQL checks its pages itself.
  findDamage(): Promise<string | undefined>
  close(): Promise<void>
}

export const ROWS_PER_BATCH = 200
