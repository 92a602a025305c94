// Writes a backup as lines of text.
import { createTally, type Header, type Row, WHOLE } from './archive.ts'

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
