// The template database that tests on PostgreSQL copy: the schema without rows.
import pg from 'pg'
import { migrate } from '../../../src/store/engine/migrate.ts'
import { openPostgres } from '../../../src/store/engine/postgres/postgres.ts'

export const TEMPLATE_DATABASE = 'heliograph_template'

// ICU collation sorts like a dictionary, as on many servers: our queries must not depend on the server's collation.
export const EMPTY_DATABASE = `template template0 locale_provider icu icu_locale 'en-US'`

export async function createTemplateDatabase(serverUrl: string): Promise<void> {
  const client = new pg.Client(`${serverUrl}/postgres`)
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE} ${EMPTY_DATABASE}`)
  await client.end()
  const db = await openPostgres(`${serverUrl}/${TEMPLATE_DATABASE}`)
  await migrate(db)
  await db.close()
}
