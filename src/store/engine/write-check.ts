// Checks that the database stores changes, by an update that changes nothing.
import type { Database } from './database.ts'
import { sql } from './sql.ts'

export async function tryWrite(db: Database): Promise<void> {
  await db.transact((tx) => tx.run(sql`update migrations set name = name where number = 1`))
}
