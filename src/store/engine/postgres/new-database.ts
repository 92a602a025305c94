// An empty PostgreSQL database that is filled in one transaction. A connection that is lost, or a process that is killed,
// leaves it empty.
import type { NewDatabase } from '../new-database.ts'
import { sql } from '../sql.ts'
import { beginLongTransaction, NO_DEADLINE_MS } from './long-transaction.ts'
import { createWorkMarker } from './work-marker.ts'
import { createSend, openWriter } from './writer.ts'

export async function fillPostgres(url: string): Promise<NewDatabase> {
  const client = await beginLongTransaction(url, 'read write')
  const parts = { client, send: createSend(), marker: createWorkMarker(), timeoutMs: NO_DEADLINE_MS }
  const { tx } = openWriter({ ...parts, topics: new Set() })
  return {
    tx,
    async continueNumbering(table, lastNumber) {
      await tx.all(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${lastNumber})`)
    },
    async commit() {
      const { command } = await client.query('commit')
      await client.end()
      // After a failed statement PostgreSQL answers a commit with ROLLBACK and no error.
      if (command !== 'COMMIT') throw new Error('A statement of the restore has failed.')
    },
    abandon: () => client.end().catch(() => {}),
  }
}
