// Reads return what is committed, by any process, although results are cached between commits.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Reader } from '../../src/store/engine/database.ts'
import { type SqlValue, sql } from '../../src/store/engine/sql.ts'
import { type CacheSources, createReadCache, MOST_BYTES } from '../../src/store/engine/sqlite/read-cache.ts'
import { isPostgres } from '../support/database/database.ts'
import { openNode, openTestDatabase } from '../support/database/open-database.ts'

let name: string
beforeEach(() => {
  name = randomUUID()
})

const find = (db: Reader) =>
  db.cached(sql`select value from server_secrets where name = ${name}`, ([row]: { value: string }[]) => row)
const put = (value: string) => sql`insert into server_secrets (name, value) values (${name}, ${value})
  on conflict (name) do update set value = excluded.value`

test('a changed row is visible to every reader once transact() has returned', async () => {
  const { db } = await openTestDatabase()
  for (const value of ['one', 'two', 'three']) {
    await db.transact((tx) => tx.execute(put(value)))
    expect(await find(db.read)).toEqual({ value })
    expect(await find(db.read)).toEqual({ value })
  }
})

test('a missing row is found as soon as it is inserted', async () => {
  const { db } = await openTestDatabase()
  expect(await find(db.read)).toBeUndefined()
  await db.transact((tx) => tx.execute(put('here')))
  expect(await find(db.read)).toEqual({ value: 'here' })
})

test('a rehearsal does not change cached rows', async () => {
  const { db } = await openTestDatabase()
  await db.transact((tx) => tx.execute(put('kept')))
  const rehearsed = await db.rehearse(async (tx) => {
    await tx.execute(put('rehearsed'))
    return find(tx)
  })
  expect(rehearsed).toEqual({ value: 'rehearsed' })
  expect(await find(db.read)).toEqual({ value: 'kept' })
})

test('R46: a commit of another process is visible in the next turn of the event loop', async () => {
  const { db, database } = await openTestDatabase()
  const other = await openNode(database)
  await db.transact((tx) => tx.execute(put('ours')))
  expect(await find(db.read)).toEqual({ value: 'ours' })
  await other.transact((tx) => tx.execute(put('theirs')))
  await new Promise(setImmediate)
  expect(await find(db.read)).toEqual({ value: 'theirs' })
})

test.skipIf(isPostgres())('a cached result is shared and cannot be changed', async () => {
  const { db } = await openTestDatabase()
  await db.transact((tx) => tx.execute(put('shared')))
  const query = sql`select value from server_secrets where name = ${name}`
  const read = () => db.read.cached(query, (rows: { value: string }[]) => ({ rows }))
  const result = await read()
  expect(await read()).toBe(result)
  expect(() => result.rows.pop()).toThrow(TypeError)
  expect(() => Object.assign(result.rows[0] as object, { value: 'changed' })).toThrow(TypeError)
})

const KEYS = 'select … from integration_keys join users'
const WIDGETS = 'select … from widgets'
const NOTIFICATIONS = 'select … from notifications'
const TABLES: Record<string, string[]> = {
  [KEYS]: ['integration_keys', 'users'],
  [WIDGETS]: ['widgets'],
  [NOTIFICATIONS]: ['notifications'],
}

// A cache whose change counter and tables are set by the test.
function openTestCache(sources: Partial<CacheSources> = {}) {
  const cache = createReadCache({ changeCounter: () => 1, tablesReadBy: (text) => TABLES[text] ?? [], ...sources })
  const loads: Record<string, number> = {}
  const readRow = (row: object, text: string, ...values: SqlValue[]) => {
    const load = () => {
      loads[text] = (loads[text] ?? 0) + 1
      return [row]
    }
    return cache.get({ text, values }, load, ([loaded]) => loaded)
  }
  const read = (text: string, ...values: SqlValue[]) => readRow({ text }, text, ...values)
  return { cache, loads, read, readRow }
}

test('the change counter is read once per turn, and a new value drops every cached result', async () => {
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
  ['another table', ['events'], 0, 0],
  ['its table', ['events', 'widgets'], 0, 1],
  ['a table that it joins', ['users'], 1, 0],
  ['the schema', ['sqlite_schema'], 1, 1],
])('after a write to %s exactly the results that depend on it are read again', (_, changed, keys, widgets) => {
  const { cache, loads, read } = openTestCache()
  const readBoth = () => [read(KEYS, 'hash'), read(WIDGETS, 'user', 'slug')]
  readBoth()
  cache.tablesChanged(changed)
  readBoth()
  expect([loads[KEYS], loads[WIDGETS]]).toEqual([1 + keys, 1 + widgets])
})

test('rows of a deleted account are not served from the cache', async () => {
  const { db } = await openTestDatabase()
  const findToken = () =>
    db.read.cached(sql`select user_id from tokens where hash = ${name}`, ([row]: { user_id: string }[]) => row)
  await db.transact(async (tx) => {
    await tx.execute(sql`insert into users (id, name, plan, created_at) values (${name}, ${name}, 'free', 0)`)
    await tx.execute(sql`insert into tokens (hash, id, kind, user_id, created_at)
      values (${name}, 't', 'hla', ${name}, 0)`)
  })
  expect(await findToken()).toEqual({ user_id: name })
  await db.transact((tx) => tx.execute(sql`delete from users where id = ${name}`))
  expect(await findToken()).toBeUndefined()
})

test('F02 memory stays bounded however many results are read', () => {
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

test('F02 long results are not cached', () => {
  const { cache, loads, readRow } = openTestCache()
  const long = { id: 1, text: 'x'.repeat(90_000) }
  for (let i = 0; i < 10_000; i++) readRow(long, NOTIFICATIONS, i)
  expect(cache.bytes()).toBe(0)
  readRow(long, NOTIFICATIONS, 1)
  expect(loads[NOTIFICATIONS]).toBe(10_001)
})

test('C16 results in use stay cached, however many others are read once', () => {
  const { loads, read } = openTestCache()
  for (let i = 0; i < 300_000; i++) {
    if (i % 1000 === 0) for (const hash of ['a', 'b', 'c']) read(KEYS, hash)
    read(NOTIFICATIONS, i)
  }
  expect(loads[KEYS]).toBe(3)
})

test('a result that is read again after a write takes the place of the one before', () => {
  const { cache, read } = openTestCache()
  read(WIDGETS, 1)
  const bytes = cache.bytes()
  for (let i = 0; i < 100; i++) {
    cache.tablesChanged(['widgets'])
    read(WIDGETS, 1)
  }
  expect(cache.bytes()).toBe(bytes)
})
