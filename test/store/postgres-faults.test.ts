// R18: callers get service.unavailable while PostgreSQL fails, and service resumes without a restart.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { findCommitStatus, type TransactionId } from '../../src/store/engine/postgres/lost-commit.ts'
import { type Ask, createToStatement } from '../../src/store/engine/postgres/writer.ts'
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
    await tx.execute(sql`create table accounts (id bigint primary key, balance bigint not null)`)
    await tx.execute(sql`insert into accounts (id, balance) values (1, 0), (2, 0)`)
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

// Returns when the session of `db` that listens is open: one that is older than a transaction knows what became of it.
async function untilListening(direct: Database, db: Database): Promise<void> {
  let heard = 0
  db.signals.subscribe('ready', () => heard++)
  await eventually(() => {
    direct.signals.publish(['ready'])
    expect(heard).toBeGreaterThan(0)
  })
}

const END_LISTENERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and (query like 'listen %' or query like '%pg_notify%')`

const balances = async (db: Database) =>
  (await db.read.all<{ balance: number }>(sql`select balance from accounts order by id`)).map(({ balance }) => balance)
const deposit = (db: Database, id: number) =>
  db.transact((tx) => tx.execute(sql`update accounts set balance = balance + 1 where id = ${id}`))
// The message that ends a transaction and commits it.
const SYNC = 'S\0\0\0\x04'
const unavailable = { code: 'service.unavailable' }

describe.skipIf(!isPostgres())('R18 PostgreSQL faults', () => {
  test('a transaction that loses a deadlock is retried until both have committed', async () => {
    const { db } = await openAccounts()
    let waiting = 0
    let bothHaveOne = () => {}
    const met = new Promise<void>((resolve) => (bothHaveOne = resolve))
    const move = (from: number, to: number) =>
      db.transact(async (tx) => {
        await tx.execute(sql`update accounts set balance = balance - 1 where id = ${from}`)
        if (++waiting === 2) bothHaveOne()
        await met
        await tx.execute(sql`update accounts set balance = balance + 1 where id = ${to}`)
      })
    await Promise.all([move(1, 2), move(2, 1)])
    // A retry can lock the same row before the other transaction proceeds, and then deadlock once more.
    expect(waiting).toBeGreaterThanOrEqual(3)
    expect(await balances(db)).toEqual([0, 0])
  })

  test('on a network that drops all packets, reads and writes fail with service.unavailable and work again when it heals', async () => {
    const { db: direct, database } = await openAccounts()
    const { link, db } = await openOverLink(database)
    expect(await balances(db)).toEqual([0, 0])
    let becomeSilent = () => {}
    const silence = new Promise<void>((resolve) => (becomeSilent = resolve))
    const midway = db.transact(async (tx) => {
      await tx.execute(sql`update accounts set balance = 7 where id = 1`)
      link.blackhole()
      becomeSilent()
      await tx.execute(sql`update accounts set balance = 7 where id = 2`)
    })
    await silence
    // Leave the transaction's callback: nothing else may use the database inside it.
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

  test('a network that drops all packets does not delay close()', async () => {
    const { database } = await openAccounts()
    const { link, db } = await openOverLink(database)
    await deposit(db, 1)
    link.blackhole()
    const closed = await Promise.race([db.close().then(() => 'closed'), delay(60_000, 'still waiting', { ref: false })])
    expect(closed).toBe('closed')
  })

  test('cut connections: the open transaction fails as a whole, and the next one works', async () => {
    const { db: direct, database } = await openAccounts()
    const { link, db } = await openOverLink(database)
    const midway = db.transact(async (tx) => {
      await tx.execute(sql`update accounts set balance = 7 where id = 1`)
      link.reset()
      await delay(20)
      await tx.execute(sql`update accounts set balance = 7 where id = 2`)
    })
    await expect(midway).rejects.toMatchObject(unavailable)
    await eventually(() => deposit(db, 2))
    expect(await balances(direct)).toEqual([0, 1])
  })

  test('terminated backends: the open transaction fails as a whole, and the next one works', async () => {
    const { db: direct, database, url } = await openAccounts()
    const db = await openNode(database)
    const midway = db.transact(async (tx) => {
      await tx.execute(sql`update accounts set balance = 7 where id = 1`)
      await asOperator(
        url,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await tx.execute(sql`update accounts set balance = 7 where id = 2`)
    })
    await expect(midway).rejects.toMatchObject(unavailable)
    await eventually(() => deposit(db, 2))
    await eventually(async () => expect(await balances(direct)).toEqual([0, 1]))
  })

  describe('F12 a connection lost around the commit', () => {
    const statement = sql`update accounts set balance = balance + 1 where id = 1`
    const change = (db: Database) =>
      db.transact(async (tx) => {
        tx.signal('accounts')
        return tx.execute(statement)
      })

    test('after the commit: the change is stored, reported as stored, and its signals are published', async () => {
      const { db: direct, database } = await openAccounts()
      const { link, db } = await openOverLink(database)
      let published = 0
      db.signals.subscribe('accounts', () => published++)
      await untilListening(direct, db)
      link.cutAt(SYNC, 'before its answer')
      expect(await change(db)).toBe(1)
      expect(await balances(direct)).toEqual([1, 0])
      await eventually(() => expect(published).toBeGreaterThan(0))
      expect(await change(db)).toBe(1)
      expect(await balances(direct)).toEqual([2, 0])
    })

    test('after the commit of queued statements: the change is stored and reported as stored', async () => {
      const { db: direct, database } = await openAccounts()
      const { link, db } = await openOverLink(database)
      await untilListening(direct, db)
      link.cutAt(SYNC, 'before its answer')
      const written = db.transact(async (tx) => {
        await tx.first(sql`select balance from accounts where id = 1`)
        tx.queue(statement)
      })
      await expect(written).resolves.toBeUndefined()
      expect(await balances(direct)).toEqual([1, 0])
    })

    test('before the commit: nothing is stored, and a retry is safe', async () => {
      const { db: direct, database } = await openAccounts()
      const { link, db } = await openOverLink(database)
      link.cutAt(SYNC, 'before the server gets it')
      const refused = change(db)
      await expect(refused).rejects.toMatchObject(unavailable)
      await expect(refused).rejects.not.toThrow(/may have been carried out/)
      expect(await balances(direct)).toEqual([0, 0])
    })

    test('with the server unreachable afterwards: the error says that the change may have been carried out', async () => {
      const { db: direct, database, url } = await openAccounts()
      const { link, db } = await openOverLink(database)
      // A session that listens later would not be ended, and would know.
      await untilListening(direct, db)
      link.cutAt(SYNC, 'before its answer')
      const refused = db.transact(async (tx) => {
        await tx.execute(statement)
        // New connections carry nothing from now on; this one still does.
        link.swallowNew()
        await asOperator(url, END_LISTENERS)
      })
      await expect(refused).rejects.toMatchObject(unavailable)
      await expect(refused).rejects.toThrow(/may have been carried out.*Idempotency-Key/)
      expect(await balances(direct)).toEqual([1, 0])
    })
  })

  // A server that crashes gives the numbers of transactions that were not on its disk to others. A crash ends every session.
  test.each([
    ['is stored if a session that is older than the transaction says so', 'older', 'committed'],
    ['may be stored if only sessions say so that are younger', 'younger', 'unknown'],
  ] as const)('a transaction whose connection was lost %s', async (_what, age, expected) => {
    const { db, url } = await openAccounts()
    const session = new pg.Client(url)
    if (age === 'older') await session.connect()
    const id = await db.transact((tx) =>
      tx.first<TransactionId>(sql`update accounts set balance = 5 where id = 1
        returning pg_current_xact_id() as xid, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
          cast(clock_timestamp() as text) as "begunAt"`),
    )
    if (age === 'younger') await session.connect()
    const toStatement = createToStatement()
    const ask: Ask = async (query) => {
      const { text, values } = toStatement(query)
      const { rows, rowCount } = await session.query(text, [...values])
      return { rows, rowCount: rowCount ?? 0 }
    }
    expect(await findCommitStatus([ask], id, false)).toBe(expected)
    await session.end()
  })

  test('a server that became read-only refuses writes and serves reads', async () => {
    const { database, url } = await openAccounts()
    await asOperator(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    const db = await openNode(database)
    await expect(deposit(db, 1)).rejects.toMatchObject(unavailable)
    expect(await balances(db)).toEqual([0, 0])
  })

  test('a server that became read-only is left for the one that new connections reach', async () => {
    const { database, url } = await openAccounts()
    const name = new URL(url).pathname.slice(1)
    // Applies to new sessions, as if the node had reached a standby.
    await asOperator(url, `alter database ${name} set default_transaction_read_only = on`)
    const db = await openNode(database)
    await expect(deposit(db, 1)).rejects.toMatchObject(unavailable)
    const session = new pg.Client(url)
    await session.connect()
    await session.query(`set default_transaction_read_only = off`)
    await session.query(`alter database ${name} reset default_transaction_read_only`)
    await session.end()
    await deposit(db, 1)
    expect(await balances(db)).toEqual([1, 0])
  })

  test.each([
    { ofServer: 'off', ofSession: 'on' },
    { ofServer: 'remote_apply', ofSession: 'remote_apply' },
  ])('R02 with synchronous_commit=$ofServer, a commit is answered with $ofSession', async ({ ofServer, ofSession }) => {
    const { database, url } = await openAccounts()
    await asOperator(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = ${ofServer}`)
    const db = await openNode(database)
    const readSetting = sql`select current_setting('synchronous_commit') as setting`
    expect(await db.transact((tx) => tx.first(readSetting))).toEqual({ setting: ofSession })
  })

  test('a change of the schema has no timeout', async () => {
    const { db } = await openAccounts()
    const readTimeouts = sql`select current_setting('statement_timeout') as statement,
      current_setting('transaction_timeout') as transaction`
    expect(await db.transact((tx) => tx.first(readTimeouts))).toEqual({ statement: '4s', transaction: '10s' })
    expect(await db.transact((tx) => tx.first(readTimeouts), { noTimeout: true })).toEqual({
      statement: '0',
      transaction: '0',
    })
  })

  test('a change that waits for a lock for longer than the server allows fails with service.unavailable', async () => {
    const { database, url } = await openAccounts()
    await asOperator(url, `alter database ${new URL(url).pathname.slice(1)} set lock_timeout = '50ms'`)
    const [holder, db] = [new pg.Client(url), await openNode(database)]
    await holder.connect()
    await holder.query('begin')
    await holder.query('select balance from accounts for update')
    await expect(deposit(db, 1)).rejects.toMatchObject(unavailable)
    await holder.end()
    await deposit(db, 1)
  })

  test('a connection that is lost before the commit is sent stores nothing, and the error says so', async () => {
    const { db: direct, database } = await openAccounts()
    const { link, db } = await openOverLink(database)
    const lost = db.transact(async (tx) => {
      await tx.execute(sql`update accounts set balance = 7 where id = 1`)
      // The status of the transaction cannot be asked for, and need not be.
      link.swallowNew()
      link.reset()
      await tx.execute(sql`update accounts set balance = 8 where id = 2`).catch(() => {})
    })
    await expect(lost).rejects.toMatchObject(unavailable)
    await expect(lost).rejects.not.toThrow(/may have been carried out/)
    expect(await balances(direct)).toEqual([0, 0])
  })
})
