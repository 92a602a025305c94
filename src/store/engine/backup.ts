// What backups need: a view of the whole database, and an empty database to fill.
import type { Reader, Writer } from './database.ts'
import type { Sql, SqlValue } from './sql.ts'

// A consistent view of the whole database while others go on writing, for as long as a backup takes to read it.
export type Snapshot = Reader & {
  // The cells of a `select`, a few hundred rows at a time: memory is bounded however many rows there are.
  batches(query: Sql): AsyncIterable<SqlValue[][]>
  // What is wrong with the pages of the database file, if anything. Reads all of it. PostgreSQL checks its pages itself.
  findDamage(): Promise<string | undefined>
  close(): Promise<void>
}

export const ROWS_PER_BATCH = 200

// An empty database that one process fills in one transaction: others see all of it after `commit`, or nothing.
export type NewDatabase = {
  tx: Writer
  // Numbers of an identity column are never reused, so a restored table continues after the last number it has given.
  continueNumbering(table: string, lastNumber: number): Promise<void>
  commit(): Promise<void>
  // Removes everything that was written.
  abandon(): Promise<void>
}
