// What is read is what is committed, whoever committed it, although rows are remembered between commits.
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

test('a row is new for every reader once the transaction that changed it has returned', async () => {
  const { db } = await openTestDatabase()
  for (const value of ['one', 'two', 'three']) {
    await db.transact((tx) => tx.run(put(value)))
    expect(await db.read.first(find())).toEqual({ value })
    expect(await db.read.first(find())).toEqual({ value })
  }
})

test('a row that was missing is found as soon as it is there', async () => {
  const { db } = await openTestDatabase()
  expect(await db.read.first(find())).toBeUndefined()
  await db.transact((tx) => tx.run(put('here')))
  expect(await db.read.first(find())).toEqual({ value: 'here' })
})

test('a rehearsal leaves no trace in what is read', async () => {
  const { db } = await openTestDatabase()
  await db.transact((tx) => tx.run(put('kept')))
  await db.rehearse((tx) => tx.run(put('rehearsed')))
  expect(await db.read.first(find())).toEqual({ value: 'kept' })
})

test('R46: what another process commits is read in the next turn of the event loop', async () => {
  const { db, database } = await openTestDatabase()
  const other = await openNode(database)
  await db.transact((tx) => tx.run(put('ours')))
  expect(await db.read.first(find())).toEqual({ value: 'ours' })
  await other.transact((tx) => tx.run(put('theirs')))
  await new Promise(setImmediate)
  expect(await db.read.first(find())).toEqual({ value: 'theirs' })
})

// A memory whose database says what the test wants it to say.
function rememberRows(outside: Partial<CacheSources> = {}) {
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

test('the change counter is asked once a turn, and a change of it forgets every row', async () => {
  let counter = 1
  let asked = 0
  const changeCounter = () => {
    asked++
    return counter
  }
  const { loads, read } = rememberRows({ changeCounter })
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
  ['a delete from a table that nothing refers to', 'delete from widgets where id = ?', 0, 1],
  ['a delete that may take other rows with it', 'delete from users where id = ?', 1, 1],
  ['a change of the schema', 'create table devices (id text)', 1, 1],
])('after %s exactly the rows it may concern are read again', (_, statement, keys, widgets) => {
  const { cache, loads, read } = rememberRows()
  const readBoth = () => [read(KEYS, 'hash'), read(WIDGETS, 'user', 'slug')]
  readBoth()
  cache.committed([statement])
  readBoth()
  expect([loads[KEYS], loads[WIDGETS]]).toEqual([1 + keys, 1 + widgets])
})

test('what a deleted account owned is gone for every reader', async () => {
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
  const { cache, loads, read } = rememberRows()
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

test('F02 long rows are not remembered', () => {
  const { cache, loads, readRow } = rememberRows()
  const long = { id: 1, text: 'x'.repeat(90_000) }
  for (let i = 0; i < 10_000; i++) readRow(long, NOTIFICATIONS, i)
  expect(cache.bytes()).toBe(0)
  readRow(long, NOTIFICATIONS, 1)
  expect(loads[NOTIFICATIONS]).toBe(10_001)
})

test('C16 rows in use stay remembered, however many others are read once', () => {
  const { loads, read } = rememberRows()
  for (let i = 0; i < 300_000; i++) {
    if (i % 1000 === 0) for (const hash of ['a', 'b', 'c']) read(KEYS, hash)
    read(NOTIFICATIONS, i)
  }
  expect(loads[KEYS]).toBe(3)
})

test('what is forgotten no longer counts', () => {
  const { cache, read } = rememberRows()
  for (let i = 0; i < 100; i++) read(WIDGETS, i)
  expect(cache.bytes()).toBeGreaterThan(0)
  cache.committed(['delete from widgets where id = ?'])
  expect(cache.bytes()).toBe(0)
})
