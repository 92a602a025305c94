// Backups of PostgreSQL: one connection with one transaction that may take as long as a backup or a restore does.

import pg from 'pg'
import { type NewDatabase, ROWS_PER_BATCH, type Snapshot } from '../backup.ts'
import { readerOf } from '../reader.ts'
import { createCompile, type Sql, sql } from '../sql.ts'
import { connectionOptions } from './connections.ts'
import { openPipeline } from './pipeline.ts'
import { checkServer, unreachable } from './server-check.ts'
import { createToStatement, openTransaction } from './writer.ts'

// For the deadlines of pg, whose 0 would mean those of the connection.
const NO_DEADLINE_MS = 24 * 3600 * 1000

async function beginLongTransaction(url: string, mode: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions(url), query_timeout: undefined })
  // A lost connection fails the statement under way. Without a listener, the event would end the process.
  client.on('error', () => {})
  await client.connect().catch((error: Error) => {
    throw unreachable(url, error)
  })
  try {
    await checkServer(client, url)
    await client.query(`begin ${mode}`)
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}

// A read-only transaction that sees what was committed before it began, read through cursors.
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = await beginLongTransaction(url, 'isolation level repeatable read read only')
  const compile = createCompile('postgres')
  // A client of pg takes one statement at a time, and callers may ask for several.
  let earlier: Promise<unknown> = Promise.resolve()
  const all = <Row>(query: Sql): Promise<Row[]> => {
    const { text, values } = compile(query)
    const result = earlier.then(() => client.query(text, [...values]))
    earlier = result.catch(() => {})
    return result.then(({ rows }) => rows)
  }
  return {
    ...readerOf(all),
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

// A connection that is lost, or a process that is killed, leaves the database empty.
export async function fillPostgres(url: string): Promise<NewDatabase> {
  const client = await beginLongTransaction(url, 'read write')
  const pipeline = openPipeline(client, NO_DEADLINE_MS)
  const toStatement = createToStatement()
  const { tx } = openTransaction((query) => pipeline.ask(toStatement(query)), new Set()).openWriter()
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
