// A snapshot of the embedded database: a read transaction on a connection of its own. In WAL mode it neither waits for the
// server's writes nor holds them up; the log cannot be emptied until it ends.
import { existsSync } from 'node:fs'
import { StartError } from '../../../domain/errors.ts'
import { ROWS_PER_BATCH, type Snapshot } from '../snapshot.ts'
import { createCompile, type Sql, type SqlValue } from '../sql.ts'
import { connect } from './connection.ts'
import { prepareOnce } from './statements.ts'

const BUSY_MS = 30_000

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
    all,
    first: async <Row>(query: Sql) => (await all<Row>(query))[0],
    cached: async <Row, Result>(query: Sql, make: (rows: Row[]) => Result) => make(await all<Row>(query)),
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
