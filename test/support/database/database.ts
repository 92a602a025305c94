// Creates and drops a database of the kind this project tests.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { Environment } from '../../../src/runtime/config.ts'
import { hasLongForms } from '../nightly.ts'
import { EMPTY_DATABASE, TEMPLATE_DATABASE } from './postgres-template.ts'
import { copySqliteTemplate } from './sqlite-template.ts'

export type TestDatabase = { environment: Environment; drop(): Promise<void> }

export const isPostgres = () => inject('database') === 'postgres'

// For tests in a file that runs on PostgreSQL because of its other tests: true if they are left out there, by the rule of
// database-matrix.ts.
export const sqliteSuffices = () => isPostgres() && !hasLongForms

// `empty` has no schema; otherwise it is a copy of a migrated template, which is faster than migrating.
export async function createTestDatabase(kind = inject('database'), state?: 'empty'): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-test-'))
  const dataFolder = join(folder, 'data')
  const environment: Environment = { HELIOGRAPH_DATA_DIR: dataFolder }
  if (kind === 'sqlite') {
    if (state !== 'empty') await copySqliteTemplate(dataFolder)
    return { environment, drop: async () => rmSync(folder, { recursive: true, force: true }) }
  }

  const name = `test_${randomBytes(8).toString('hex')}`
  const template = state === 'empty' ? EMPTY_DATABASE : `template ${TEMPLATE_DATABASE}`
  await onServer(`create database ${name} ${template} strategy ${inject('copyStrategy')}`)
  return {
    environment: { ...environment, HELIOGRAPH_DATABASE_URL: `${inject('postgresUrl')}/${name}` },
    async drop() {
      rmSync(folder, { recursive: true, force: true })
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(`${inject('postgresUrl')}/postgres`)
  await client.connect()
  await client.query(statement)
  await client.end()
}
