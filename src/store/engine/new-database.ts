// An empty database that one process fills in one transaction: others see all of it after `commit`, or nothing.
import type { Writer } from './database.ts'

export type NewDatabase = {
  tx: Writer
  // Numbers of an identity column are never reused, so a restored table continues after the last number it has given.
  continueNumbering(table: string, lastNumber: number): Promise<void>
  commit(): Promise<void>
  // Removes everything that was written.
  abandon(): Promise<void>
}
