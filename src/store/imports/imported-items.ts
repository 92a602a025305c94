// What imports have brought, so that a second run brings nothing twice.
import type { UserId } from '../../domain/caller.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { list, sql } from '../engine/sql.ts'

// Returns false if it was brought before.
export async function claimImport(tx: Writer, userId: UserId, item: string): Promise<boolean> {
  const claimed = await tx.execute(sql`insert into imported_items (user_id, item) values (${userId}, ${item})
    on conflict (user_id, item) do nothing`)
  return claimed === 1
}

export async function listImported(db: Reader, userId: UserId, items: string[]): Promise<Set<string>> {
  const rows = await db.all<{ item: string }>(
    sql`select item from imported_items where user_id = ${userId} and item in (${list(items)})`,
  )
  return new Set(rows.map(({ item }) => item))
}
