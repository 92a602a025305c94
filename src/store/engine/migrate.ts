// Brings the schema up to date at every start. All missing migrations are applied in one transaction under a lock, so a
// kill in the middle leaves the old schema, and a second node that starts at the same time waits and finds it done.
import { StartError } from '../../domain/errors.ts'
import * as schema from '../migrations/0001-schema.ts'
import type { Database, Reader, Writer } from './database.ts'
import { fragment, type Sql, sql } from './sql.ts'
import { lockTables } from './table-locks.ts'

export type Migration = { name: string; statements: Sql[] }

export const MIGRATIONS: Migration[] = [{ name: '0001-schema', statements: schema.statements }]

const MIGRATION_LOCK = fragment({ sqlite: '1', postgres: 'pg_advisory_xact_lock(20261115)' })

export async function migrate(db: Database, migrations: Migration[] = MIGRATIONS): Promise<string[]> {
  return db.transact((tx) => applyMigrations(tx, migrations), { noTimeout: true })
}

// Until the transaction ends, no other node changes the schema.
export async function lockSchema(tx: Writer): Promise<void> {
  await tx.all(sql`select ${MIGRATION_LOCK}`)
}

// Returns the names of those that were missing.
export async function applyMigrations(tx: Writer, migrations: Migration[]): Promise<string[]> {
  await lockSchema(tx)
  await tx.execute(sql`create table if not exists migrations (number bigint primary key, name text not null)`)
  const names = await listApplied(tx)
  requireKnown(names, migrations)
  const applied = names.length
  const missing = migrations.slice(applied)
  // A new database has no other users.
  if (applied > 0 && missing.length > 0) await lockTables(tx)
  for (const [index, migration] of missing.entries()) {
    for (const statement of migration.statements) await tx.execute(statement)
    await tx.execute(sql`insert into migrations (number, name) values (${applied + index + 1}, ${migration.name})`)
  }
  return missing.map((migration) => migration.name)
}

// Throws if this program cannot use a database to which these migrations were applied.
export function requireKnown(applied: string[], migrations: Migration[] = MIGRATIONS): void {
  if (!isFromReleases(applied, migrations)) {
    throw new StartError(
      'the database was made before 0.2.0 by a version that was not released, and cannot be upgraded; start with a new data folder or database, or start the version that made this one',
    )
  }
  if (applied.length <= migrations.length) return
  throw new StartError(
    `the database was made by a newer Heliograph (schema ${applied.length}, this one knows ${migrations.length}); start that version`,
  )
}

// The migrations of releases are only ever added to, so a database begins with the same ones.
export function isFromReleases(applied: string[], migrations: Migration[] = MIGRATIONS): boolean {
  return migrations.every(({ name }, index) => name === (applied[index] ?? name))
}

// Their names, in the order in which they were applied.
export async function listApplied(db: Reader): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`select name from migrations order by number`)
  return rows.map(({ name }) => name)
}
