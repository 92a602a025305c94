// Ids that are reserved before the transaction that uses them, on PostgreSQL.
import { expect, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { fragment, sql } from '../../src/store/engine/sql.ts'
import { isPostgres } from '../support/database/database.ts'
import { openNode, openTestDatabase } from '../support/database/open-database.ts'

const reserve = (db: Database) => db.reserveId('notifications_id_seq')
const readOne = (db: Database) => db.read.cached<{ one: number }, unknown>(sql`select 1 as one`, (rows) => rows)

test.skipIf(isPostgres())('SQLite reserves none: it tells the id of a row when it inserts it', async () => {
  const { db } = await openTestDatabase()
  expect(await reserve(db)).toBeUndefined()
})

test.skipIf(!isPostgres())('no id is reserved twice, on any node, and later ones are greater', async () => {
  const { db, database } = await openTestDatabase()
  const other = await openNode(database)
  const first = await Promise.all(Array.from({ length: 50 }, (_, n) => reserve(n % 2 === 0 ? db : other)))
  const second = await Promise.all([reserve(db), reserve(other)])
  const ids = [...first, ...second].map(Number)
  expect(new Set(ids).size).toBe(52)
  expect(Math.min(...second.map(Number))).toBeGreaterThan(Math.max(...first.map(Number)))
})

test.skipIf(!isPostgres())('a server that is read-only reserves none, and reads of the same turn succeed', async () => {
  const { db, database } = await openTestDatabase()
  const name = (await db.read.first<{ name: string }>(sql`select current_database() as name`))?.name
  await db.transact((tx) =>
    tx.execute(sql`${fragment(`alter database "${name}" set default_transaction_read_only = on`)}`),
  )
  const readOnly = await openNode(database)
  expect(await Promise.all([readOne(readOnly), reserve(readOnly), readOne(readOnly)])).toEqual([
    [{ one: 1 }],
    undefined,
    [{ one: 1 }],
  ])
})
