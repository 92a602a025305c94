// Reads return what is committed, by any process, although rows are cached between commits.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { type CacheSources, createReadCache, MOST_BYTES } from '../../src/store/engine/read-cache.ts'
import { type SqlValue, sql } from '../../src/store/engine/sql.ts'
import { openNode, openTestDatabase } from '../support/database/open-database.ts'

let name: string
beforeEach(() => {
  name = randomUUID()
})

const find = () => sql`select value from server_secrets where name = ${name}`
const put = (value: string) => sql`insert into server_secrets (name, value) values (${name}, ${value})
  on conflict (name) do update set value = excluded.value`

test('a changed row is visible to every reader once transact() has returned', async () => {
  const { db } = await openTestDatabase()
  for (const value of ['one', 'two', 'three']) {
    await db.transact((tx) => tx.run(put(value)))
    expect(await db.read.first(find())).toEqual({ value })
    expect(await db.read.first(find())).toEqual({ value })
  }
})

test('a missing row is found as soon as it is inserted', async () => {
  const { db } = await openTestDatabase()
  expect(await db.read.first(find())).toBeUndefined()
  await db.transact((tx) => tx.run(put('here')))
  expect(await db.read.first(find())).toEqual({ value: 'here' })
})

test('a rehearsal does not change cached rows', async () => {
  const { db } = await openTestDatabase()
  await db.transact((tx) => tx.run(put('kept')))
  await db.rehearse((tx) => tx.run(put('rehearsed')))
  expect(await db.read.first(find())).toEqual({ value: 'kept' })
})

test('R46: a commit of another process is visible in the next turn of the event loop', async () => {
  const { db, database } = await openTestDatabase()
  const other = await openNode(database)
  await db.transact((tx) => tx.run(put('ours')))
  expect(await db.read.first(find())).toEqual({ value: 'ours' })
  await other.transact((tx) => tx.run(put('theirs')))
  await new Promise(setImmediate)
  expect(await db.read.first(find())).toEqual({ value: 'theirs' })
})

// A cache whose change counter and foreign keys are set by the test.
function openTestCache(outside: Partial<CacheSources> = {}) {
  const cache = createReadCache({ changeCounter: () => 1, parentTables: () => new Set(['users']), ...outside })
  const loads: Record<string, number> = {}
  const readRow = (row: object, text: string, ...values: SqlValue[]) =>
    cache.remember(
      text,
      values,
      () => {
        loads[text] = (loads[text] ?? 0) + 1
        return row
      },
      (loaded) => loaded,
    )
  const read = (text: string, ...values: SqlValue[]) => readRow({ text }, text, ...values)
  return { cache, loads, read, readRow }
}

const KEYS = 'select k.id from integration_keys k join users u on u.id = k.user_id where k.hash = ?'
const WIDGETS = 'select id from widgets where user_id = ? and slug = ?'
const NOTIFICATIONS = 'select id, text from notifications where id = ?'

test('the change counter is read once per turn, and a new value drops every cached row', async () => {
  let counter = 1
  let asked = 0
  const changeCounter = () => {
    asked++
    return counter
  }
  const { loads, read } = openTestCache({ changeCounter })
  read(WIDGETS, 'a', 'b')
  read(WIDGETS, 'a', 'b')
  expect([loads[WIDGETS], asked]).toEqual([1, 1])
  await new Promise(setImmediate)
  read(WIDGETS, 'a', 'b')
  expect([loads[WIDGETS], asked]).toEqual([1, 2])
  counter = 2
  await new Promise(setImmediate)
  read(WIDGETS, 'a', 'b')
  expect([loads[WIDGETS], asked]).toEqual([2, 3])
})

test.each([
  ['an insert into another table', 'insert into events (user_id) values (?)', 0, 0],
  ['a read', 'select id from widgets where user_id = ?', 0, 0],
  ['an update of its column', 'update widgets set slug = ?, name = ? where id = ?', 0, 1],
  ['an update of a column that it does not mention', 'update widgets set name = ? where id = ? and slug = ?', 0, 0],
  ['an update that reads others', 'update widgets set a = (select 1 where 1), slug = ? where id = ?', 0, 1],
  ['an update of several columns at once', 'update widgets set (name, slug) = (?, ?) where id = ?', 0, 1],
  ['an upsert into its table', 'insert into widgets (id) values (?) on conflict (id) do update set name = ?', 0, 1],
  ['an update of a joined table', 'update users set id = ? where id = ?', 1, 0],
  ['a delete from a table without referencing tables', 'delete from widgets where id = ?', 0, 1],
  ['a delete that can cascade', 'delete from users where id = ?', 1, 1],
  ['a change of the schema', 'create table devices (id text)', 1, 1],
])('after %s exactly the affected rows are read again', (_, statement, keys, widgets) => {
  const { cache, loads, read } = openTestCache()
  const readBoth = () => [read(KEYS, 'hash'), read(WIDGETS, 'user', 'slug')]
  readBoth()
  cache.committed([statement])
  readBoth()
  expect([loads[KEYS], loads[WIDGETS]]).toEqual([1 + keys, 1 + widgets])
})

test('rows of a deleted account are not served from the cache', async () => {
  const { db } = await openTestDatabase()
  const token = sql`select user_id from tokens where hash = ${name}`
  await db.transact(async (tx) => {
    await tx.run(sql`insert into users (id, name, plan, created_at) values (${name}, ${name}, 'free', 0)`)
    await tx.run(sql`insert into tokens (hash, kind, user_id, created_at) values (${name}, 'hla', ${name}, 0)`)
  })
  expect(await db.read.first(token)).toEqual({ user_id: name })
  await db.transact((tx) => tx.run(sql`delete from users where id = ${name}`))
  expect(await db.read.first(token)).toBeUndefined()
})

test('F02 memory stays bounded however many rows are read', () => {
  const { cache, loads, read } = openTestCache()
  for (let i = 0; i < 200_000; i++) {
    read(WIDGETS, i)
    if (cache.bytes() > MOST_BYTES) expect.fail(`${cache.bytes()} bytes after ${i} rows`)
  }
  expect(cache.bytes()).toBeGreaterThan(MOST_BYTES / 4)
  for (let i = 199_900; i < 200_000; i++) read(WIDGETS, i)
  expect(loads[WIDGETS]).toBe(200_000)
  read(WIDGETS, 0)
  expect(loads[WIDGETS]).toBe(200_001)
})

test('F02 long rows are not cached', () => {
  const { cache, loads, readRow } = openTestCache()
  const long = { id: 1, text: 'x'.repeat(90_000) }
  for (let i = 0; i < 10_000; i++) readRow(long, NOTIFICATIONS, i)
  expect(cache.bytes()).toBe(0)
  readRow(long, NOTIFICATIONS, 1)
  expect(loads[NOTIFICATIONS]).toBe(10_001)
})

test('C16 rows in use stay cached, however many others are read once', () => {
  const { loads, read } = openTestCache()
  for (let i = 0; i < 300_000; i++) {
    if (i % 1000 === 0) for (const hash of ['a', 'b', 'c']) read(KEYS, hash)
    read(NOTIFICATIONS, i)
  }
  expect(loads[KEYS]).toBe(3)
})

test('dropped rows no longer count towards the size', () => {
  const { cache, read } = openTestCache()
  for (let i = 0; i < 100; i++) read(WIDGETS, i)
  expect(cache.bytes()).toBeGreaterThan(0)
  cache.committed(['delete from widgets where id = ?'])
  expect(cache.bytes()).toBe(0)
})
