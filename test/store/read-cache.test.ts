// What is read is what is committed, whoever committed it, although rows are remembered between commits.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createReadCache } from '../../src/store/read-cache.ts'
import { sql } from '../../src/store/sql.ts'
import { openNode, openTestDatabase } from '../support/open-database.ts'

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

test('the change counter is asked once a turn, and a change of it forgets every row', async () => {
  let counter = 1
  let asked = 0
  let loads = 0
  const cache = createReadCache(() => {
    asked++
    return counter
  })
  const read = () => cache.row('statement', ['a', 1], () => ++loads)
  expect([read(), read(), asked]).toEqual([1, 1, 1])
  await new Promise(setImmediate)
  expect([read(), asked]).toEqual([1, 2])
  counter = 2
  await new Promise(setImmediate)
  expect([read(), asked]).toEqual([2, 3])
})

test('memory stays bounded however many rows are read', () => {
  const cache = createReadCache(() => 1)
  let loads = 0
  for (let i = 0; i < 5000; i++) cache.row('statement', [i], () => ++loads)
  for (let i = 4900; i < 5000; i++) cache.row('statement', [i], () => ++loads)
  expect(loads).toBe(5000)
  cache.row('statement', [0], () => ++loads)
  expect(loads).toBe(5001)
})
