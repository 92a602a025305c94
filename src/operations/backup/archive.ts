// The format of a backup: JSON lines, compressed with gzip, the same for both databases.
//
//   {"heliograph_backup":1,"program":"1.2.0","schema":19,"made_at":"…"}
//   {"table":"users","columns":["id","name",…],"last_number":null}      tables that others refer to come first
//   ["…","anna",…]                                                     one line per row
//   {"end_of":"users","rows":1,"sha256":"…"}                           of the lines of this table
//   …
//   {"end_of":"backup","rows":…,"sha256":"…"}                          of all lines before; without it the file is cut off
import { createHash, type Hash } from 'node:crypto'

export const FORMAT = 1

export type Header = { heliograph_backup: number; program: string; schema: number; made_at: string }
// `last_number`: of the identity column, null for tables without one.
export type TableLine = { table: string; columns: string[]; last_number: number | null }
export type EndLine = { end_of: string; rows: number; sha256: string }
export type Row = (string | number | null)[]

// What the last line, which is about the whole backup, calls it.
export const WHOLE = 'backup'

// Counts and hashes the lines of a table or of the whole backup.
export type Tally = { add(line: string, rows: number): void; end(of: string): EndLine }

export function createTally(): Tally {
  const hash: Hash = createHash('sha256')
  let count = 0
  return {
    add(line, rows) {
      hash.update(line).update('\n')
      count += rows
    },
    end: (of) => ({ end_of: of, rows: count, sha256: hash.digest('hex') }),
  }
}

// Writes a backup as lines of text.
export type TableContent = {
  name: string
  columns: string[]
  lastNumber: number | null
  batches: AsyncIterable<Row[]> | Iterable<Row[]>
}

// Yields a chunk per batch of rows, and returns the number of all rows.
export async function* archiveText(
  header: Header,
  tables: AsyncIterable<TableContent>,
): AsyncGenerator<string, number> {
  const whole = createTally()
  const text = (line: string, rows: number) => {
    whole.add(line, rows)
    return `${line}\n`
  }
  yield text(JSON.stringify(header), 0)
  for await (const table of tables) {
    const { name, columns, lastNumber, batches } = table
    const tally = createTally()
    const lineOfTable = (line: string, rows: number) => {
      tally.add(line, rows)
      return text(line, rows)
    }
    yield lineOfTable(JSON.stringify({ table: name, columns, last_number: lastNumber }), 0)
    for await (const rows of batches) yield rows.map((row) => lineOfTable(JSON.stringify(row), 1)).join('')
    yield text(JSON.stringify(tally.end(name)), 0)
  }
  const end = whole.end(WHOLE)
  yield `${JSON.stringify(end)}\n`
  return end.rows
}
