// Makes a backup: every row that was committed when it began, and the secrets of the server.

import { StartError } from '../../domain/errors.ts'
import { type Instant, toRfc3339 } from '../../domain/instant.ts'
import { VERSION } from '../../runtime/version.ts'
import { hasIdentity, listBackupTables, readRows, SECRETS_TABLE } from '../../store/backup/tables.ts'
import type { Snapshot } from '../../store/engine/backup.ts'
import { listLastNumbers, type Table } from '../../store/engine/catalog.ts'
import { listApplied, requireKnown } from '../../store/engine/migrate.ts'
import { archiveText, FORMAT, type Header, type TableContent } from './archive.ts'

// The text of each secret by its name.
export type SecretTexts = Map<string, string>

// Yields the text of the backup, not compressed yet, and returns the number of rows.
export async function* backUp(snapshot: Snapshot, secrets: SecretTexts, now: Instant): AsyncGenerator<string, number> {
  const tables = await listBackupTables(snapshot)
  if (!tables.some(({ name }) => name === SECRETS_TABLE)) {
    throw new StartError('there is nothing to back up: the database has no tables of Heliograph')
  }
  const applied = await listApplied(snapshot)
  requireKnown(applied)
  const header: Header = {
    heliograph_backup: FORMAT,
    program: VERSION,
    schema: applied.length,
    made_at: toRfc3339(now),
  }
  return yield* archiveText(header, contentsOf(snapshot, tables, secrets))
}

async function* contentsOf(snapshot: Snapshot, tables: Table[], secrets: SecretTexts): AsyncGenerator<TableContent> {
  const lastNumbers = await listLastNumbers(snapshot)
  for (const table of tables) {
    const { name } = table
    yield {
      name,
      columns: table.columns.map((column) => column.name),
      lastNumber: hasIdentity(table) ? (lastNumbers.get(name) ?? 0) : null,
      batches: name === SECRETS_TABLE ? [[...secrets].toSorted()] : readRows(snapshot, table),
    }
  }
}
