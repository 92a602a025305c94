// Backups of the embedded database: a snapshot, and a new file.
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { StartError } from '../../../domain/errors.ts'
import { type NewDatabase, ROWS_PER_BATCH, type Snapshot } from '../backup.ts'
import { readerOf } from '../reader.ts'
import { createCompile, type Sql, type SqlValue, sql } from '../sql.ts'
import { connect, loadSqlite } from './connection.ts'
import { prepareOnce } from './statements.ts'
import { openWriter } from './writer.ts'

const BUSY_MS = 30_000

// A read transaction on a connection of its own. In WAL mode it neither waits for the server's writes nor holds them up; the
// log cannot be emptied until it ends.
export function openSqliteSnapshot(file: string): Snapshot {
  if (!existsSync(file)) throw new StartError(`there is no database ${file}; check HELIOGRAPH_DATA_DIR`)
  const connection = connect(file, BUSY_MS)
  connection.exec('begin')
  const compile = createCompile('sqlite')
  const prepare = prepareOnce(connection)
  const all = async <Row>(query: Sql) => {
    const { text, values } = compile(query)
    return prepare(text).all(values) as Row[]
  }
  return {
    ...readerOf(all),
    async *batches(query) {
      const { text, values } = compile(query)
      const statement = connection.prepare(text)
      statement.setReturnArrays(true)
      let batch: SqlValue[][] = []
      // Node's types do not know what setReturnArrays does.
      for (const cells of statement.iterate(...values) as unknown as Iterable<SqlValue[]>) {
        batch.push(cells)
        if (batch.length < ROWS_PER_BATCH) continue
        yield batch
        batch = []
      }
      yield batch
    },
    async findDamage() {
      const { quick_check: found } = connection.prepare('pragma quick_check(1)').get() as { quick_check: string }
      // The first of several lines names the database, of which there is one.
      return found === 'ok' ? undefined : found.split('\n').at(-1)
    },
    close: async () => connection.close(),
  }
}

// A file that is filled in one transaction.
export function createSqlite(file: string): NewDatabase {
  const { DatabaseSync } = loadSqlite()
  closeSync(openSync(file, 'wx', 0o600))
  const connection = new DatabaseSync(file)
  // No journal: a file that could not be filled is deleted, never rolled back.
  connection.exec('pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory')
  connection.exec('pragma foreign_keys = on; begin')
  const parts = { compile: createCompile('sqlite'), prepare: prepareOnce(connection) }
  const { tx } = openWriter({ ...parts, topics: new Set(), changedTables: new Set() })
  return {
    tx,
    async continueNumbering(table, lastNumber) {
      await tx.execute(sql`delete from sqlite_sequence where name = ${table}`)
      await tx.execute(sql`insert into sqlite_sequence (name, seq) values (${table}, ${lastNumber})`)
    },
    async commit() {
      connection.exec('commit')
      connection.close()
      const written = await open(file, 'r+')
      await written.sync().finally(() => written.close())
    },
    async abandon() {
      if (connection.isOpen) connection.close()
      rmSync(file, { force: true })
    },
  }
}
