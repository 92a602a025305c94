// A migration runs while nodes of the version before serve requests: on PostgreSQL it deadlocks with none of them.
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { type Migration, migrate } from '../../src/store/engine/migrate.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { isPostgres } from '../support/database/database.ts'
import { createEmptyDatabase, openNode, urlOf } from '../support/database/open-database.ts'
import { eventually } from '../support/eventually.ts'
import { isNightly } from '../support/nightly.ts'

const CREATED: Migration = {
  name: '0001-tables',
  statements: [sql`create table aaa (id bigint)`, sql`create table zzz (id bigint)`],
}
const CHANGED: Migration = {
  name: '0002-columns',
  statements: [
    sql`alter table aaa add column more bigint`,
    // Long enough for the other transaction to wait for aaa first: then PostgreSQL would end it, and not the migration.
    sql`select pg_sleep(0.5)`,
    sql`alter table zzz add column more bigint`,
  ],
}

test.runIf(isPostgres())(
  'a transaction that uses the tables of a migration in another order is not ended',
  async () => {
    const database = await createEmptyDatabase()
    const db = await openNode(database)
    await migrate(db, [CREATED])
    const other = await beginTransaction(urlOf(database))
    await other.query('select from zzz')
    const migrated = migrate(db, [CREATED, CHANGED])
    await eventually(async () => expect(await isLocked(db, 'aaa')).toBe(true))
    await other.query('select from aaa')
    await other.query('commit')
    expect(await migrated).toEqual([CHANGED.name])
  },
)

test.runIf(isPostgres() && isNightly)(
  'a transaction that stays open ends the start with one clear line, and changes nothing',
  async () => {
    const database = await createEmptyDatabase()
    const db = await openNode(database)
    await migrate(db, [CREATED])
    const other = await beginTransaction(urlOf(database))
    await other.query('select from zzz')
    await expect(migrate(db, [CREATED, CHANGED])).rejects.toThrow('another transaction, such as that of a backup')
    await other.query('commit')
    expect(await migrate(db, [CREATED, CHANGED])).toEqual([CHANGED.name])
  },
)

async function beginTransaction(url: string | undefined): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  return client
}

async function isLocked(db: Database, table: string): Promise<boolean> {
  const held = await db.read.all(sql`select from pg_locks
    where relation = to_regclass(${table}) and mode = 'AccessExclusiveLock' and granted`)
  return held.length > 0
}
