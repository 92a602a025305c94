// Writes the tables of a backup into a database that has the same tables without rows.
import { StartError } from '../../domain/errors.ts'
import { rowWriter, SECRETS_TABLE } from '../../store/backup/tables.ts'
import type { NewDatabase } from '../../store/engine/backup.ts'
import type { Table } from '../../store/engine/catalog.ts'
import type { Row, TableLine } from './archive.ts'
import type { SecretTexts } from './back-up.ts'
import type { ArchivePart } from './read-archive.ts'

// On PostgreSQL the rows of a batch travel without waiting for each other.
const ROWS_PER_BATCH = 200

export type Filler = {
  take(part: ArchivePart): Promise<void>
  requireAllTables(): void
  readonly secrets: SecretTexts
}

export function createFiller(db: NewDatabase, tables: Table[]): Filler {
  const unfilled = new Map(tables.map((table) => [table.name, table]))
  const secrets: SecretTexts = new Map()
  let write: (rows: Row[]) => Promise<void>
  let batch: Row[] = []

  async function flush() {
    const rows = batch
    batch = []
    if (rows.length > 0) await write(rows)
  }

  async function keepSecrets(rows: Row[]) {
    for (const [name, text] of rows) secrets.set(String(name), String(text))
  }

  async function begin(line: TableLine) {
    const table = requireSameTable(unfilled.get(line.table), line)
    unfilled.delete(table.name)
    write = table.name === SECRETS_TABLE ? keepSecrets : rowWriter(db.tx, table)
    if (line.last_number) await db.continueNumbering(table.name, line.last_number)
  }

  return {
    secrets,
    async take(part) {
      if ('row' in part) batch.push(part.row)
      if (!('row' in part) || batch.length >= ROWS_PER_BATCH) await flush()
      if ('table' in part) await begin(part.table)
    },
    requireAllTables() {
      const [missing] = unfilled.keys()
      if (missing !== undefined) throw new StartError(`the backup has no table ${missing}; use another one`)
    },
  }
}

function requireSameTable(table: Table | undefined, line: TableLine): Table {
  const columns = table?.columns.map(({ name }) => name)
  if (table && JSON.stringify(columns) === JSON.stringify(line.columns)) return table
  throw new StartError(`the backup has a table ${line.table} that its schema does not have; use another one`)
}
