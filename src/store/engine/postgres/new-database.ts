// An empty PostgreSQL database that is filled in one transaction. A connection that is lost, or a process that is killed,
// leaves it empty.
import type { NewDatabase } from '../new-database.ts'
import { type Sql, sql } from '../sql.ts'
import { beginLongTransaction, NO_DEADLINE_MS } from './long-transaction.ts'
import { openPipeline } from './pipeline.ts'
import { createWorkMarker } from './work-marker.ts'
import { createToStatement, openWriter } from './writer.ts'

export async function fillPostgres(url: string): Promise<NewDatabase> {
  const client = await beginLongTransaction(url, 'read write')
  const pipeline = openPipeline(client, NO_DEADLINE_MS)
  const toStatement = createToStatement()
  const ask = (query: Sql) => pipeline.ask(toStatement(query))
  const { tx } = openWriter({ ask, topics: new Set(), marker: createWorkMarker() })
  return {
    tx,
    async continueNumbering(table, lastNumber) {
      await tx.all(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${lastNumber})`)
    },
    async commit() {
      await pipeline.commit()
      await client.query('commit')
      await client.end()
    },
    abandon: () => client.end().catch(() => {}),
  }
}
