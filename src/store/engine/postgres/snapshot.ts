// A snapshot of PostgreSQL: a read-only transaction that sees what was committed before it began, read through cursors.
import type pg from 'pg'
import { ROWS_PER_BATCH, type Snapshot } from '../snapshot.ts'
import { createCompile } from '../sql.ts'
import { beginLongTransaction } from './long-transaction.ts'
import { type Ask, readerOf } from './writer.ts'

export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = await beginLongTransaction(url, 'isolation level repeatable read read only')
  const compile = createCompile('postgres')
  // A client of pg takes one statement at a time, and callers may ask for several.
  let earlier: Promise<unknown> = Promise.resolve()
  const answer: Ask = (query) => {
    const { text, values } = compile(query)
    const result = earlier.then(() => client.query(text, [...values]))
    earlier = result.catch(() => {})
    return result.then(({ rows, rowCount }) => ({ rows, rowCount: rowCount ?? 0 }))
  }
  return {
    ...readerOf(answer),
    async *batches(query) {
      await client.query(`declare backup_rows no scroll cursor for ${compile(query).text}`)
      for (;;) {
        const { rows } = await client.query({ text: `fetch ${ROWS_PER_BATCH} from backup_rows`, rowMode: 'array' })
        yield rows
        if (rows.length < ROWS_PER_BATCH) break
      }
      await client.query('close backup_rows')
    },
    findDamage: async () => undefined,
    close: () => endQuietly(client),
  }
}

// The transaction has changed nothing, so a connection that is lost already is no failure.
const endQuietly = (client: pg.Client) => client.end().catch(() => {})
