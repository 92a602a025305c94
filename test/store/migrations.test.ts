// R13: a schema upgrade is applied completely or not at all, by the first node that starts.
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import { deviceId } from '../../src/domain/devices.ts'
import { fromRfc3339 } from '../../src/domain/instant.ts'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import { openForServer } from '../../src/domain/organizations/limit.ts'
import { findUserByName } from '../../src/store/accounts/accounts.ts'
import { findActivity } from '../../src/store/activities/activities.ts'
import { findDevice } from '../../src/store/devices.ts'
import { findDoorRecord, listSequence } from '../../src/store/doors/records.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { MIGRATIONS, type Migration, migrate } from '../../src/store/engine/migrate.ts'
import { fragment, sql } from '../../src/store/engine/sql.ts'
import { findInboxBytes } from '../../src/store/feeds.ts'
import { findKey } from '../../src/store/integration-keys.ts'
import { type InboxFilter, listEntries } from '../../src/store/notifications/inbox-list.ts'
import { insertNotification, loadContents } from '../../src/store/notifications/notifications.ts'
import { listTimeline } from '../../src/store/notifications/timeline.ts'
import { listUsage } from '../../src/store/usage.ts'
import { backUp, newDatabase, restoreInto } from '../support/database/backups.ts'
import { isPostgres, type TestDatabase } from '../support/database/database.ts'
import { createEmptyDatabase, fileOf, openNode, urlOf } from '../support/database/open-database.ts'
import { DIST, runNode } from '../support/heliograph-process.ts'
import { isNightly } from '../support/nightly.ts'

const NAMES = MIGRATIONS.map(({ name }) => name)
const STATEMENTS = MIGRATIONS.flatMap(({ statements }) => statements)
const NEXT: Migration = {
  name: '9999-next',
  statements: [sql`alter table users add column shoe_size bigint`, sql`create index shoes on users (shoe_size)`],
}

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
  return MIGRATIONS.map(({ name, statements }) => {
    const mine = [...statements]
    if (boundary >= passed && boundary <= passed + statements.length) mine.splice(boundary - passed, 0, inserted)
    passed += statements.length + 1
    return { name, statements: mine }
  })
}

const upTo = (number: string) => MIGRATIONS.filter(({ name }) => name.slice(0, 4) <= number)

const BOUNDARIES = Array.from({ length: STATEMENTS.length + MIGRATIONS.length }, (_, i) => i)

describe('migrate', () => {
  test('applies missing migrations, returns their names, and does nothing the second time', async () => {
    const db = await openNode(await createEmptyDatabase())
    expect(await migrate(db)).toEqual(NAMES)
    const schema = await schemaOf(db)
    expect(schema.length).toBeGreaterThan(NAMES.length)
    expect(await migrate(db)).toEqual([])
    expect(await schemaOf(db)).toEqual(schema)
  })

  test('applies a later migration to a database that has the earlier ones', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db)
    expect(await migrate(db, [...MIGRATIONS, NEXT])).toEqual([NEXT.name])
    expect(await schemaOf(db)).toEqual(await cleanSchema([...MIGRATIONS, NEXT]))
  })

  test('R13 a failure at any statement leaves the old schema, and the next start completes', async () => {
    const expected = await cleanSchema()
    const db = await openNode(await createEmptyDatabase())
    for (const boundary of BOUNDARIES.filter((n) => isNightly || n % 8 === 0)) {
      const failing = migrate(db, interrupted(boundary, sql`select * from a_table_that_is_not_there`))
      await expect(failing, `at ${boundary}`).rejects.toThrow()
      expect(await schemaOf(db), `at ${boundary}`).toEqual([])
    }
    expect(await migrate(db)).toEqual(NAMES)
    expect(await schemaOf(db)).toEqual(expected)
  })

  // Failures are tested at more boundaries; a process for each would take minutes.
  const SOME_BOUNDARIES = BOUNDARIES.filter((boundary) => boundary % (isNightly ? 7 : 28) === 0)

  test('R13 a process killed at a statement leaves the old schema, and the next start completes', async () => {
    const database = await createEmptyDatabase()
    for (const boundary of SOME_BOUNDARIES) {
      const { signal, stderr } = await migrateElsewhere(database, boundary)
      expect(signal, stderr).toBe('SIGKILL')
      const db = await openNode(database)
      expect(await schemaOf(db), `at ${boundary}`).toEqual([])
      await db.close()
    }
    const db = await openNode(database)
    expect(await migrate(db)).toEqual(NAMES)
    expect(await schemaOf(db)).toEqual(await cleanSchema())
  })

  test('R13 of several nodes that start together, one migrates and the others find the schema current', async () => {
    const database = await createEmptyDatabase()
    const runs = await Promise.all([1, 2, 3].map(() => migrateElsewhere(database)))
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']))
    const applied: string[][] = runs.map(({ stdout }) => JSON.parse(stdout))
    expect(applied.filter((names) => names.length > 0)).toEqual([NAMES])
    expect(await schemaOf(await openNode(database))).toEqual(await cleanSchema())
  })

  test('0008 to 0010 keep the usage, the outcome of the last push and the inbox of an account', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, MIGRATIONS.slice(0, 7))
    const now = fromRfc3339('2026-11-15T12:00:00Z')
    const [ada, phone] = ['ada' as UserId, deviceId('phone')]
    await db.transact(async (tx) => {
      await tx.execute(sql`insert into users (id, name, plan, created_at) values ('ada', 'ada', 'paid', 0)`)
      await tx.execute(sql`insert into usage (user_id, kind, period, used) values ('ada', 'notifications', 202610, 900),
        ('ada', 'notifications', 202611, 70), ('ada', 'notifications', 20261114, 8), ('ada', 'notifications', 20261115, 7),
        ('ada', 'emails', 202611, 3), ('ada', 'email_confirmations', 20261114, 2), ('ada', 'widget_updates', 202610, 5)`)
      await tx.execute(sql`insert into devices (user_id, id, name, platform, tags, created_at, last_seen_at, last_push_at,
        last_push_error) values ('ada', 'phone', 'Phone', 'ios', '[]', 1, 2, 3, 'Unregistered')`)
      await tx.execute(sql`insert into notifications (user_id, level, content, search_text, pushed, created_at, read_at)
        values ('ada', 'active', '{"title":"One"}', '', 1, 1, 5), ('ada', 'active', '{"title":"Two"}', '', 1, 2, null)`)
    })
    await migrate(db)
    const used = await listUsage(db.read, ada, now)
    expect(used('notifications')).toEqual({ month: 70, day: 7 })
    expect([used('emails').month, used('email_confirmations').day, used('widget_updates').month]).toEqual([3, 0, 0])
    expect(await findDevice(db.read, ada, phone)).toMatchObject({ lastPushAt: 3, lastPushError: 'Unregistered' })
    const titles = async (filter: InboxFilter) =>
      (await loadContents(db.read, ada, await listEntries(db.read, ada, filter, {}, 10))).map(({ title }) => title)
    expect([await titles({}), await titles({ half: 'unread' })]).toEqual([['Two', 'One'], ['Two']])
  })

  test('0012 keeps contents, search texts, timelines and sizes of inboxes, and reuses no id of a deleted notification', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, upTo('0010'))
    const [ada, bob] = ['ada' as UserId, 'bob' as UserId]
    const content = JSON.stringify({ title: 'Ünder', body: 'x'.repeat(90_000) })
    await db.transact(async (tx) => {
      for (const id of [ada, bob]) {
        await tx.execute(sql`insert into users (id, name, plan, created_at) values (${id}, ${id}, 'paid', 0)`)
        await tx.execute(sql`insert into feeds (user_id, last_event, unread) values (${id}, 1, 1)`)
      }
      await tx.execute(sql`insert into notifications (user_id, key_id, level, content, thread_id, source, search_text, pushed,
          created_at, read_at)
        values (${ada}, 'k', 'passive', ${content}, 't', 's', 'ünder', 1, 1, 5),
          (${ada}, null, 'active', '{"title":"Two","body":"B"}', null, null, 'two b', 0, 2, null),
          (${bob}, null, 'active', '{"title":"Gone","body":"B"}', null, null, 'gone b', 0, 3, null)`)
      await tx.execute(sql`insert into timeline (notification_id, user_id, at, event, device, detail, sent_at)
        select id, user_id, 7, 'push_accepted', 'Phone', 'd', 6 from notifications`)
      await tx.execute(sql`delete from notifications where user_id = ${bob}`)
    })
    await migrate(db)
    const found = async (filter: InboxFilter) =>
      loadContents(db.read, ada, await listEntries(db.read, ada, filter, {}, 10))
    const [two, under] = await found({})
    expect(two).toMatchObject({ id: 2, title: 'Two', readAt: null, pushed: false })
    expect(under).toMatchObject({
      ...JSON.parse(content),
      id: 1,
      keyId: 'k',
      level: 'passive',
      threadId: 't',
      readAt: 5,
    })
    expect(await found({ text: 'ÜNDER' })).toEqual([under])
    expect(await listTimeline(db.read, ada, 1 as NotificationId)).toMatchObject([{ at: 6 }, { at: 7, detail: 'd' }])
    const bytes = Buffer.byteLength(content) + Buffer.byteLength('ünder') + '{"title":"Two","body":"B"}two b'.length
    expect([await findInboxBytes(db.read, ada), await findInboxBytes(db.read, bob)]).toEqual([bytes, 0])
    const draft = { title: 'T', body: 'B', level: 'active' as const, keyId: null, pushed: false, readAt: null }
    const sent = { ...draft, userId: ada, createdAt: fromRfc3339('2026-11-15T12:00:00Z') }
    expect(await db.transact((tx) => insertNotification(tx, sent))).toMatchObject({ id: 4 })
    await db.transact((tx) => tx.execute(sql`delete from notifications where id = 1`))
    expect(await db.read.all(sql`select id from timeline where notification_id = 1`)).toEqual([])
    expect(await db.read.all(sql`select search_text from notification_contents where notification_id = 1`)).toEqual([])
  })

  test('0016: accounts are persons, keys are not limited, and the tags of devices become rows', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, upTo('0015'))
    const ada = 'ada' as UserId
    await db.transact(async (tx) => {
      await tx.execute(sql`insert into users (id, name, plan, created_at) values (${ada}, 'Ada', 'paid', 0)`)
      for (const [id, tags] of [
        ['wall', '["wall","a \\"b\\" ü"]'],
        ['plain', '[]'],
      ]) {
        await tx.execute(sql`insert into devices (user_id, id, name, platform, tags, created_at, last_seen_at)
          values (${ada}, ${id!}, 'D', 'web', ${tags!}, 0, 0)`)
      }
      await tx.execute(sql`insert into integration_keys (id, user_id, hash, name, is_default, permissions, activity_slugs,
          widget_slugs, created_at) values ('k', ${ada}, 'h', 'K', 0, '{}', '[]', '[]', 0)`)
    })
    await migrate(db)
    expect(await findUserByName(db.read, 'Ada')).toMatchObject({ id: ada, kind: 'person' })
    expect(await findKey(db.read, ada, 'k')).toMatchObject({ target: null })
    expect(await db.read.all(sql`select device_id, tag from device_tags order by tag`)).toEqual([
      { device_id: 'wall', tag: 'a "b" ü' },
      { device_id: 'wall', tag: 'wall' },
    ])
  })

  test('0018 leaves the activities of persons without a target', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, upTo('0017'))
    const ada = 'ada' as UserId
    await db.transact(async (tx) => {
      await tx.execute(sql`insert into users (id, name, plan, created_at) values (${ada}, 'Ada', 'paid', 0)`)
      await tx.execute(sql`insert into activities (id, user_id, slug, name, state, state_at, run, priority, content,
          recorded, push_version, push_timestamp, created_at, updated_at)
        values ('a', ${ada}, 'build', 'Build', 'ongoing', 1, 1, 0, '{"state":"Lint"}', 0, 0, 0, 1, 1)`)
    })
    await migrate(db)
    const activity = openForServer(await findActivity(db.read, ada, 'build'))
    expect(activity).toMatchObject({ state: 'ongoing', content: { state: 'Lint' }, target: null })
  })

  test('0020 makes the account of the first start an operator, and a backup from before it restores to the same', async () => {
    const database = await createEmptyDatabase()
    const db = await openNode(database)
    await migrate(db, upTo('0019'))
    await db.transact(async (tx) => {
      for (const name of ['operator', 'Ada']) {
        await tx.execute(sql`insert into users (id, name, plan, created_at) values (${name}, ${name}, 'paid', 0)`)
      }
    })
    const restored = await newDatabase()
    await restoreInto(restored, await backUp(database))
    await migrate(db)
    for (const each of [db, await openNode(restored)]) {
      expect(await migrate(each)).toEqual([])
      expect(await schemaOf(each)).toEqual(await cleanSchema())
      const isOperator = async (name: string) => (await findUserByName(each.read, name))?.isOperator
      expect([await isOperator('operator'), await isOperator('Ada')]).toEqual([true, false])
    }
  })

  test('0030 keeps what messages of doors said, and finds those of a sequence', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, upTo('0026'))
    const ada = 'ada' as UserId
    await db.transact(async (tx) => {
      await tx.execute(sql`insert into users (id, name, plan, created_at) values (${ada}, 'Ada', 'paid', 0)`)
      for (const id of [1, 2, 3]) {
        await tx.execute(sql`insert into notifications (user_id, level, pushed, bytes, created_at)
          values (${ada}, 'active', 0, 0, 0)`)
        await tx.execute(
          sql`insert into notification_contents (notification_id, search_text, content) values (${id}, '', '{}')`,
        )
      }
      await tx.execute(sql`insert into door_records (notification_id, user_id, door, channel, sequence, message) values
        (1, ${ada}, 'gotify', '7', null, '{"priority":8}'), (2, ${ada}, 'ntfy', 'backups', 'nightly', '{"message":"Ü"}')`)
    })
    await migrate(db)
    const found = (id: number) => findDoorRecord(db.read, ada, id as NotificationId)
    expect(await found(1)).toEqual({ door: 'gotify', channel: '7', message: { priority: 8 } })
    const nightly = { door: 'ntfy', channel: 'backups', sequence: 'nightly' } as const
    expect(await found(2)).toEqual({ ...nightly, message: { message: 'Ü' } })
    expect(await found(3)).toBeUndefined()
    expect(await listSequence(db.read, ada, { ...nightly, keyId: null })).toEqual([2])
  })

  test('0037 corrects levels outside of the enumeration, and refuses them and others from then on', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, upTo('0034'))
    const insert = (level: string) => sql`insert into notifications (user_id, level, pushed, bytes, created_at)
      values ('ada', ${level}, 0, 0, 0)`
    await db.transact(async (tx) => {
      await tx.execute(sql`insert into users (id, name, plan, created_at) values ('ada', 'ada', 'paid', 0)`)
      for (const level of ['critical', 'function Object() { [native code] }']) await tx.execute(insert(level))
    })
    await migrate(db)
    const levels = () => db.read.all<{ level: string }>(sql`select level from notifications order by id`)
    expect(await levels()).toEqual([{ level: 'critical' }, { level: 'active' }])
    for (const refused of [
      insert('constructor'),
      sql`update notifications set level = 'constructor'`,
      sql`update users set plan = 'constructor'`,
      sql`update users set kind = 'constructor'`,
      sql`insert into memberships (org_id, user_id, role, joined_at) values ('ada', 'ada', 'constructor', 0)`,
    ]) {
      await expect(db.transact((tx) => tx.execute(refused))).rejects.toThrow(/unknown \w+ of|_known/)
    }
    await db.transact((tx) => tx.execute(sql`update notifications set level = 'passive'`))
    expect(await levels()).toEqual([{ level: 'passive' }, { level: 'passive' }])
  })

  test('refuses a database with a newer schema, and leaves it unchanged', async () => {
    const db = await openNode(await createEmptyDatabase())
    await migrate(db, [...MIGRATIONS, NEXT])
    const schema = await schemaOf(db)
    const [mine, theirs] = [MIGRATIONS.length, MIGRATIONS.length + 1]
    await expect(migrate(db)).rejects.toThrow(`newer Heliograph (schema ${theirs}, this one knows ${mine})`)
    expect(await schemaOf(db)).toEqual(schema)
  })

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
    ? `(await import('${DIST}store/engine/postgres/postgres.js')).openPostgres(${JSON.stringify(url)})`
    : `(await import('${DIST}store/engine/sqlite/sqlite.js')).openSqlite(${JSON.stringify(fileOf(database))}, { monotonicMs: () => performance.now() })`
  const script = `
    const { migrate, MIGRATIONS } = await import('${DIST}store/engine/migrate.js')
    let passed = 0
    const dieAt = (here) => { if (here === ${boundary}) process.kill(process.pid, 'SIGKILL') }
    const deadly = MIGRATIONS.map(({ name, statements }) => ({ name, statements: { *[Symbol.iterator]() {
      for (const statement of statements) { dieAt(passed++); yield statement }
      dieAt(passed++)
    } } }))
    const db = await ${open}
    const applied = await migrate(db, deadly)
    await db.close()
    console.log(JSON.stringify(applied))`
  return runNode(['--input-type=module', '--eval', script])
}
