// R13: a schema upgrade is applied completely or not at all, by the first node that starts.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { MIGRATIONS, type Migration, migrate } from '../../src/store/engine/migrate.ts'
import { fragment, sql } from '../../src/store/engine/sql.ts'
import { backUp, newDatabase, restoreInto } from '../support/database/backups.ts'
import { isPostgres, type TestDatabase } from '../support/database/database.ts'
import { createEmptyDatabase, fileOf, openNode, urlOf } from '../support/database/open-database.ts'
import { runNode, SOURCES } from '../support/heliograph-process.ts'
import { isNightly } from '../support/nightly.ts'

// A later version has one migration more.
const NEXT_STATEMENTS = [
  'alter table users add column shoe_size bigint not null default 40',
  'create index shoes on users (shoe_size)',
]
const NEXT: Migration = { name: '9999-next', statements: NEXT_STATEMENTS.map((text) => sql`${fragment(text)}`) }
const LATER = [...MIGRATIONS, NEXT]

const namesOf = (migrations: Migration[]) => migrations.map(({ name }) => name)
const NAMES = namesOf(MIGRATIONS)

async function cleanSchema(migrations = MIGRATIONS): Promise<string[]> {
  const db = await openNode(await createEmptyDatabase())
  await migrate(db, migrations)
  return schemaOf(db)
}

// One line per table, column, index and constraint: equal exactly when the schemas are equal.
async function schemaOf(db: Database): Promise<string[]> {
  const rows = await db.read.all<{ line: string }>(
    isPostgres()
      ? sql`select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
          from information_schema.columns where table_schema = 'public'
          union all select indexdef from pg_indexes where schemaname = 'public'
          union all select concat_ws(' ', conrelid::regclass::text, pg_get_constraintdef(oid)) from pg_constraint
            where connamespace = 'public'::regnamespace
          order by line`
      : sql`select coalesce(sql, name) as line from sqlite_master where name not like 'sqlite_sequence' order by line`,
  )
  return rows.map(({ line }) => line)
}

// The same migrations with one statement inserted at the given statement boundary.
function interrupted(boundary: number, inserted: Migration['statements'][number]): Migration[] {
  let passed = 0
  return LATER.map(({ name, statements }) => {
    const mine = [...statements]
    if (boundary >= passed && boundary <= passed + statements.length) mine.splice(boundary - passed, 0, inserted)
    passed += statements.length + 1
    return { name, statements: mine }
  })
}

// Before each statement, and behind the last one of each migration.
const boundariesOf = (migrations: Migration[]) => migrations.flatMap(({ statements }) => [...statements, 'end']).length
const FIRST_OF_NEXT = boundariesOf(MIGRATIONS)
const BOUNDARIES = Array.from({ length: boundariesOf(LATER) }, (_, i) => i)
// Those of the second migration, which changes tables with rows.
const OF_NEXT = BOUNDARIES.slice(FIRST_OF_NEXT)

const addAda = (db: Database) =>
  db.transact((tx) => tx.execute(sql`insert into users (id, name, plan, created_at) values ('ada', 'Ada', 'paid', 0)`))

describe('migrate', () => {
  test('applies missing migrations, returns their names, and does nothing the second time', async () => {
    const db = await openNode(await createEmptyDatabase())
    expect(await migrate(db)).toEqual(NAMES)
    const schema = await schemaOf(db)
    expect(schema.length).toBeGreaterThan(NAMES.length)
    expect(await migrate(db)).toEqual([])
    expect(await schemaOf(db)).toEqual(schema)
  })

  test('applies a later migration to a database that has the earlier ones, and keeps its rows', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db)
    await addAda(db)
    expect(await migrate(db, LATER)).toEqual([NEXT.name])
    expect(await schemaOf(db)).toEqual(await cleanSchema(LATER))
    expect(await db.read.all(sql`select name, shoe_size from users`)).toEqual([{ name: 'Ada', shoe_size: 40 }])
  })

  test('R13 a failure at any statement leaves the old schema, and the next start completes', async () => {
    const expected = await cleanSchema(LATER)
    const db = await openNode(await createEmptyDatabase())
    const failAt = async (boundary: number, left: string[]) => {
      const failing = migrate(db, interrupted(boundary, sql`select * from a_table_that_is_not_there`))
      await expect(failing, `at ${boundary}`).rejects.toThrow()
      expect(await schemaOf(db), `at ${boundary}`).toEqual(left)
    }
    for (const boundary of BOUNDARIES.filter((n) => isNightly || n % 8 === 0)) await failAt(boundary, [])
    expect(await migrate(db)).toEqual(NAMES)
    await addAda(db)
    const schema = await schemaOf(db)
    for (const boundary of OF_NEXT) await failAt(boundary, schema)
    expect(await migrate(db, LATER)).toEqual([NEXT.name])
    expect(await schemaOf(db)).toEqual(expected)
  })

  // Failures are tested at more boundaries; a process for each would take minutes.
  const SOME_BOUNDARIES = BOUNDARIES.filter((boundary) => boundary % (isNightly ? 7 : 28) === 0)

  test('R13 a process killed at a statement leaves the old schema, and the next start completes', async () => {
    const database = await createEmptyDatabase()
    const killAt = async (boundary: number, left: string[]) => {
      const { signal, stderr } = await migrateElsewhere(database, boundary)
      expect(signal, stderr).toBe('SIGKILL')
      const db = await openNode(database)
      expect(await schemaOf(db), `at ${boundary}`).toEqual(left)
      await db.close()
    }
    for (const boundary of SOME_BOUNDARIES) await killAt(boundary, [])
    const db = await openNode(database)
    expect(await migrate(db)).toEqual(NAMES)
    await addAda(db)
    const schema = await schemaOf(db)
    await db.close()
    for (const boundary of OF_NEXT) await killAt(boundary, schema)
    const last = await openNode(database)
    expect(await migrate(last, LATER)).toEqual([NEXT.name])
    expect(await schemaOf(last)).toEqual(await cleanSchema(LATER))
  })

  test('R13 of several nodes that start together, one migrates and the others find the schema current', async () => {
    const database = await createEmptyDatabase()
    const runs = await Promise.all([1, 2, 3].map(() => migrateElsewhere(database)))
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']))
    const applied: string[][] = runs.map(({ stdout }) => JSON.parse(stdout))
    expect(applied.filter((names) => names.length > 0)).toEqual([namesOf(LATER)])
    expect(await schemaOf(await openNode(database))).toEqual(await cleanSchema(LATER))
  })

  test('a backup from before a migration restores to the same as the migration makes', async () => {
    const database = await createEmptyDatabase()
    const db = await openNode(database)
    await migrate(db)
    await addAda(db)
    const backup = await backUp(database)
    await migrate(db, LATER)
    MIGRATIONS.push(NEXT)
    onTestFinished(() => void MIGRATIONS.pop())
    const restored = await newDatabase()
    await restoreInto(restored, backup)
    const users = sql`select id, name, shoe_size from users`
    for (const each of [db, await openNode(restored)]) {
      expect(await migrate(each)).toEqual([])
      expect(await schemaOf(each)).toEqual(await cleanSchema())
      expect(await each.read.all(users)).toEqual([{ id: 'ada', name: 'Ada', shoe_size: 40 }])
    }
  })

  test('the database refuses values outside of an enumeration', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db)
    await addAda(db)
    const insert = (level: string) => sql`insert into notifications (user_id, level, pushed, bytes, created_at)
      values ('ada', ${level}, 0, 0, 0)`
    await db.transact((tx) => tx.execute(insert('critical')))
    for (const refused of [
      insert('constructor'),
      sql`update notifications set level = 'constructor'`,
      sql`update users set kind = 'constructor'`,
      sql`insert into memberships (org_id, user_id, role, joined_at) values ('ada', 'ada', 'constructor', 0)`,
    ]) {
      await expect(db.transact((tx) => tx.execute(refused))).rejects.toThrow(/check constraint/i)
    }
    await db.transact((tx) => tx.execute(sql`update notifications set level = 'passive'`))
    expect(await db.read.all(sql`select level from notifications`)).toEqual([{ level: 'passive' }])
  })

  test('refuses a database with a newer schema, and leaves it unchanged', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, LATER)
    const schema = await schemaOf(db)
    const [mine, theirs] = [MIGRATIONS.length, LATER.length]
    await expect(migrate(db)).rejects.toThrow(`newer Heliograph (schema ${theirs}, this one knows ${mine})`)
    expect(await schemaOf(db)).toEqual(schema)
  })

  // Before 0.2.0 the schema was made by 39 migrations, and a database may have any number of them.
  test.each([1, 39])(
    'refuses a database with %i migrations that were not released, and changes nothing',
    async (count) => {
      const database = await createEmptyDatabase()
      const db = await openNode(database)
      const names = ['0001-foundation', ...Array.from({ length: count - 1 }, (_, index) => `later-${index}`)]
      const tables = [
        sql`create table users (id text primary key)`,
        sql`create table server_secrets (name text primary key, value text)`,
      ]
      await migrate(
        db,
        names.map((name, index) => ({ name, statements: index === 0 ? tables : [] })),
      )
      const schema = await schemaOf(db)
      const refusal = /^the database was made before 0\.2\.0 .*; start with a new data folder or database, or/
      await expect(migrate(db)).rejects.toThrow(refusal)
      await expect(backUp(database)).rejects.toThrow(refusal)
      expect(await schemaOf(db)).toEqual(schema)
    },
  )

  test.skipIf(!isPostgres())('is not bound by the statement timeout', async () => {
    const db = await openNode(await createEmptyDatabase())
    const slow = { name: '0001-slow', statements: [sql`select pg_sleep(${fragment('6')})`] }
    expect(await migrate(db, [slow])).toEqual(['0001-slow'])
  })
})

// Migrates in another process, which kills itself at the boundary if one is given.
function migrateElsewhere(database: TestDatabase, boundary = -1) {
  const url = urlOf(database)
  const open = url
    ? `(await import('${SOURCES}store/engine/postgres/postgres.ts')).openPostgres(${JSON.stringify(url)})`
    : `(await import('${SOURCES}store/engine/sqlite/sqlite.ts')).openSqlite(${JSON.stringify(fileOf(database))}, { monotonicMs: () => performance.now() })`
  const script = `
    const { migrate, MIGRATIONS } = await import('${SOURCES}store/engine/migrate.ts')
    const { fragment, sql } = await import('${SOURCES}store/engine/sql.ts')
    const next = ${JSON.stringify(NEXT_STATEMENTS)}.map((text) => sql\`\${fragment(text)}\`)
    const later = [...MIGRATIONS, { name: '${NEXT.name}', statements: next }]
    const dieAt = (here) => { if (here === ${boundary}) process.kill(process.pid, 'SIGKILL') }
    let first = 0
    const deadly = later.map(({ name, statements }) => {
      let here = first
      first += statements.length + 1
      return { name, statements: { *[Symbol.iterator]() {
        for (const statement of statements) { dieAt(here++); yield statement }
        dieAt(here)
      } } }
    })
    const db = await ${open}
    const applied = await migrate(db, deadly)
    await db.close()
    console.log(JSON.stringify(applied))`
  return runNode(['--input-type=module', '--eval', script])
}
