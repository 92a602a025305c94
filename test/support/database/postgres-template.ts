// The database that tests on PostgreSQL copy: our schema, without a row of ours.
import pg from 'pg'
import { migrate } from '../../../src/store/engine/migrate.ts'
import { openPostgres } from '../../../src/store/engine/postgres/postgres.ts'

export const TEMPLATE_DATABASE = 'heliograph_template'

// ICU collation sorts like a dictionary, as many servers do: nothing of ours may depend on the server's collation.
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
