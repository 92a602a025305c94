// R18: what callers see of a PostgreSQL that fails, and that they see it work again without a restart.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { isPostgres, type TestDatabase } from '../support/database/database.ts'
import { createEmptyDatabase, openNode, urlOf } from '../support/database/open-database.ts'
import { eventually } from '../support/eventually.ts'
import { openFaultyLink } from '../support/fakes/faulty-link.ts'

async function openAccounts() {
  const database = await createEmptyDatabase()
  const url = urlOf(database) as string
  const db = await openNode(database)
  await db.transact(async (tx) => {
    await tx.run(sql`create table accounts (id bigint primary key, balance bigint not null)`)
    await tx.run(sql`insert into accounts (id, balance) values (1, 0), (2, 0)`)
  })
  return { db, database, url }
}

// The same database over a network that can fail.
async function openOverLink(database: TestDatabase) {
  const url = urlOf(database) as string
  const { port } = new URL(url)
  const link = await openFaultyLink(Number(port))
  const db = await openNode(database, url.replace(`:${port}/`, `:${link.port}/`))
  return { link, db }
}

async function asOperator(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

const balances = async (db: Database) =>
  (await db.read.all<{ balance: number }>(sql`select balance from accounts order by id`)).map(({ balance }) => balance)
const deposit = (db: Database, id: number) =>
  db.transact((tx) => tx.run(sql`update accounts set balance = balance + 1 where id = ${id}`))
const unavailable = { code: 'service.unavailable' }

describe.skipIf(!isPostgres())('R18 a PostgreSQL that fails', () => {
  test('a change that loses a deadlock is run again, until both are done', async () => {
    const { db } = await openAccounts()
    let waiting = 0
    let bothHaveOne = () => {}
    const met = new Promise<void>((resolve) => (bothHaveOne = resolve))
    const move = (from: number, to: number) =>
      db.transact(async (tx) => {
        await tx.run(sql`update accounts set balance = balance - 1 where id = ${from}`)
        if (++waiting === 2) bothHaveOne()
        await met
        await tx.run(sql`update accounts set balance = balance + 1 where id = ${to}`)
      })
    await Promise.all([move(1, 2), move(2, 1)])
    // More than once again, if it takes the row again before its neighbour has noticed.
    expect(waiting).toBeGreaterThanOrEqual(3)
    expect(await balances(db)).toEqual([0, 0])
  })

  test('a silent network: reads and changes are refused, and work again when it heals', async () => {
    const { db: direct, database } = await openAccounts()
    const { link, db } = await openOverLink(database)
    expect(await balances(db)).toEqual([0, 0])
    let becomeSilent = () => {}
    const silence = new Promise<void>((resolve) => (becomeSilent = resolve))
    const midway = db.transact(async (tx) => {
      await tx.run(sql`update accounts set balance = 7 where id = 1`)
      link.blackhole()
      becomeSilent()
      await tx.run(sql`update accounts set balance = 7 where id = 2`)
    })
    await silence
    // Out of the work that has told us.
    await new Promise(setImmediate)
    await Promise.all([
      expect(midway).rejects.toMatchObject(unavailable),
      expect(balances(db)).rejects.toMatchObject(unavailable),
      expect(deposit(db, 1)).rejects.toMatchObject(unavailable),
    ])
    link.heal()
    link.reset()
    await eventually(() => deposit(db, 2))
    expect(await balances(direct)).toEqual([0, 1])
  })

  test('a silent network does not hold up the stop', async () => {
    const { database } = await openAccounts()
    const { link, db } = await openOverLink(database)
    await deposit(db, 1)
    link.blackhole()
    const closed = await Promise.race([db.close().then(() => 'closed'), delay(5000, 'still waiting', { ref: false })])
    expect(closed).toBe('closed')
  })

  test('cut connections: whatever was under way is refused whole, and the next change works', async () => {
    const { db: direct, database } = await openAccounts()
    const { link, db } = await openOverLink(database)
    const midway = db.transact(async (tx) => {
      await tx.run(sql`update accounts set balance = 7 where id = 1`)
      link.reset()
      await delay(20)
      await tx.run(sql`update accounts set balance = 7 where id = 2`)
    })
    await expect(midway).rejects.toMatchObject(unavailable)
    await eventually(() => deposit(db, 2))
    expect(await balances(direct)).toEqual([0, 1])
  })

  test('terminated backends: the same', async () => {
    const { db: direct, database, url } = await openAccounts()
    const db = await openNode(database)
    const midway = db.transact(async (tx) => {
      await tx.run(sql`update accounts set balance = 7 where id = 1`)
      await asOperator(
        url,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await tx.run(sql`update accounts set balance = 7 where id = 2`)
    })
    await expect(midway).rejects.toMatchObject(unavailable)
    await eventually(() => deposit(db, 2))
    await eventually(async () => expect(await balances(direct)).toEqual([0, 1]))
  })

  describe('F12 a connection that is lost around the commit', () => {
    const statement = sql`update accounts set balance = balance + 1 where id = 1`
    const change = (db: Database) =>
      db.transact(async (tx) => {
        tx.signal('accounts')
        return tx.run(statement)
      })

    test('after the commit: the change is stored and reported so, with its signals', async () => {
      const { db: direct, database } = await openAccounts()
      const { link, db } = await openOverLink(database)
      let told = 0
      db.signals.subscribe('accounts', () => told++)
      link.cutAt('commit', 'before its answer')
      expect(await change(db)).toBe(1)
      expect(await balances(direct)).toEqual([1, 0])
      await eventually(() => expect(told).toBeGreaterThan(0))
      expect(await change(db)).toBe(1)
      expect(await balances(direct)).toEqual([2, 0])
    })

    test('after the commit of statements that nobody waited for: likewise', async () => {
      const { db: direct, database } = await openAccounts()
      const { link, db } = await openOverLink(database)
      link.cutAt('commit', 'before its answer')
      const written = db.transact(async (tx) => {
        await tx.first(sql`select balance from accounts where id = 1`)
        tx.write(statement)
      })
      await expect(written).resolves.toBeUndefined()
      expect(await balances(direct)).toEqual([1, 0])
    })

    test('before the commit: nothing is stored, and it is safe to retry', async () => {
      const { db: direct, database } = await openAccounts()
      const { link, db } = await openOverLink(database)
      link.cutAt('commit', 'before the server gets it')
      const refused = change(db)
      await expect(refused).rejects.toMatchObject(unavailable)
      await expect(refused).rejects.not.toThrow(/may have been carried out/)
      expect(await balances(direct)).toEqual([0, 0])
    })

    test('and the server out of reach afterwards: the answer says that it may have been carried out', async () => {
      const { db: direct, database } = await openAccounts()
      const { link, db } = await openOverLink(database)
      link.cutAt('commit', 'before its answer')
      const refused = db.transact(async (tx) => {
        await tx.run(statement)
        // Connections that are opened from now on carry nothing; this one still does.
        link.swallowNew()
      })
      await expect(refused).rejects.toMatchObject(unavailable)
      await expect(refused).rejects.toThrow(/may have been carried out.*Idempotency-Key/)
      expect(await balances(direct)).toEqual([1, 0])
    })
  })

  test('a server that has become read-only refuses changes and serves reads', async () => {
    const { database, url } = await openAccounts()
    await asOperator(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    const db = await openNode(database)
    await expect(deposit(db, 1)).rejects.toMatchObject(unavailable)
    expect(await balances(db)).toEqual([0, 0])
  })
})
