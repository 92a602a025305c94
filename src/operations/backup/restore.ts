// Fills an empty database from a backup: the schema that the backup was made with, its rows, then the newer migrations.
import { StartError } from '../../domain/errors.ts'
import { listBackupTables } from '../../store/backup/tables.ts'
import type { NewDatabase } from '../../store/engine/backup.ts'
import { listTables } from '../../store/engine/catalog.ts'
import type { Writer } from '../../store/engine/database.ts'
import { applyMigrations, lockSchema, MIGRATIONS } from '../../store/engine/migrate.ts'
import type { EndLine, Header } from './archive.ts'
import type { SecretTexts } from './back-up.ts'
import { createFiller } from './fill-tables.ts'
import { readArchive } from './read-archive.ts'

export type Verified = { header: Header; rows: number }
export type Restored = Verified & { secrets: SecretTexts }

// Reads the whole backup, and throws if it cannot be restored.
export async function verifyBackup(compressed: AsyncIterable<Buffer>): Promise<Verified> {
  let header: Header | undefined
  let end: EndLine | undefined
  for await (const part of readArchive(compressed)) {
    if ('header' in part) header = requireKnownSchema(part.header)
    if ('end' in part) end = part.end
  }
  return { header: header as Header, rows: end?.rows ?? 0 }
}

// Leaves the commit and the secrets to the caller: with SQLite they are files.
export async function restoreBackup(db: NewDatabase, compressed: AsyncIterable<Buffer>): Promise<Restored> {
  const { tx } = db
  await lockSchema(tx)
  await requireEmpty(tx)
  const parts = readArchive(compressed)
  const first = (await parts.next()).value
  const header = requireKnownSchema(first.header)
  await applyMigrations(tx, MIGRATIONS.slice(0, header.schema))
  const filler = createFiller(db, await listBackupTables(tx))
  let rows = 0
  for await (const part of parts) {
    await filler.take(part)
    if ('end' in part) rows = part.end.rows
  }
  filler.requireAllTables()
  await applyMigrations(tx, MIGRATIONS)
  return { header, rows, secrets: filler.secrets }
}

function requireKnownSchema(header: Header): Header {
  if (header.schema <= MIGRATIONS.length) return header
  throw new StartError(
    `the backup was made by Heliograph ${header.program} (schema ${header.schema}, this one knows ${MIGRATIONS.length}); restore it with that version`,
  )
}

async function requireEmpty(tx: Writer): Promise<void> {
  const [table] = await listTables(tx)
  if (!table) return
  throw new StartError(
    `the database is not empty (it has the table ${table.name}); restore into a new database, or drop everything in this one first`,
  )
}
