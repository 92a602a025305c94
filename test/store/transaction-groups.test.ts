// Works of one group (`transact` with `group`) keep every guarantee of `transact`; on PostgreSQL they share transactions.
import { describe, expect, test } from 'vitest'
import type { Database, Writer } from '../../src/store/engine/database.ts'
import { createGroups, type GroupsParts } from '../../src/store/engine/postgres/groups.ts'
import { openTransaction, type Run } from '../../src/store/engine/postgres/writer.ts'
import { FOR_UPDATE, sql } from '../../src/store/engine/sql.ts'
import { unavailable } from '../../src/store/engine/trouble.ts'
import { isPostgres } from '../support/database/database.ts'
import { readDeadlocks } from '../support/database/deadlocks.ts'
import { untilLockWaits } from '../support/database/lock-waits.ts'
import { createEmptyDatabase, openNode } from '../support/database/open-database.ts'

const WORKS = 60
const numbers = Array.from({ length: WORKS }, (_, n) => n)

async function openNotes(): Promise<Database> {
  const db = await openNode(await createEmptyDatabase())
  await db.transact(async (tx) => {
    await tx.execute(sql`create table notes (id bigint primary key, text text not null)`)
    await tx.execute(sql`create table counters (id bigint primary key, count bigint not null)`)
    await tx.execute(sql`insert into counters (id, count) values (1, 0)`)
  })
  return db
}

const addNote = (tx: Writer, id: number) => tx.execute(sql`insert into notes (id, text) values (${id}, '')`)
const listNotes = async (db: Database) =>
  (await db.read.all<{ id: number }>(sql`select id from notes order by id`)).map(({ id }) => id)
const settle = (works: Promise<unknown>[]) => Promise.all(works.map((work) => work.catch((error: unknown) => error)))

describe.each([undefined, 'one'])('works of a group that name the row %s', (row) => {
  const group = { kind: 'notes', account: 'one', row }

  test('one that fails after it has changed rows is rolled back alone', async () => {
    const db = await openNotes()
    const outcomes = await settle(
      numbers.map((id) =>
        db.transact(
          async (tx) => {
            await addNote(tx, id)
            if (id % 3 === 0) await addNote(tx, id)
            if (id % 3 === 1) throw new Error(`refused ${id}`)
            return id
          },
          { group },
        ),
      ),
    )
    const kept = numbers.filter((id) => id % 3 === 2)
    expect(outcomes.filter((outcome) => !(outcome instanceof Error))).toEqual(kept)
    expect(outcomes[1]).toMatchObject({ message: 'refused 1' })
    expect(await listNotes(db)).toEqual(kept)
  })

  test('take their last step together on PostgreSQL, and one that fails has no part in it', async () => {
    const db = await openNotes()
    let taken = 0
    const count = (tx: Writer, ids: number[]) => {
      taken += 1
      tx.queue(sql`update counters set count = count + ${ids.length} where id = 1`)
    }
    await settle(
      numbers.map((id) =>
        db.transact(
          async (tx) => {
            await addNote(tx, id)
            tx.later(count, id)
            if (id === WORKS - 1) throw new Error('refused')
          },
          { group },
        ),
      ),
    )
    expect(await db.read.first(sql`select count from counters`)).toEqual({ count: WORKS - 1 })
    // The first work alone, two groups, of which the second runs again one by one.
    if (isPostgres()) expect(taken).toBeLessThan(WORKS)
  })

  test('one that is refused before it has changed anything does not make the others run again', async () => {
    const db = await openNotes()
    let runs = 0
    const outcomes = await settle(
      numbers.map((id) =>
        db.transact(
          async (tx) => {
            runs += 1
            await tx.first(sql`select count from counters where id = 1`)
            if (id % 2 === 1) throw new Error('refused')
            await addNote(tx, id)
          },
          { group },
        ),
      ),
    )
    expect(runs).toBe(WORKS)
    expect(outcomes.filter((outcome) => outcome instanceof Error)).toHaveLength(WORKS / 2)
    expect(await listNotes(db)).toEqual(numbers.filter((id) => id % 2 === 0))
  })

  test.skipIf(!isPostgres())('they share transactions', async () => {
    const db = await openNotes()
    await Promise.all(numbers.map((id) => db.transact((tx) => addNote(tx, id), { group })))
    const row = await db.read.first<{ count: number }>(
      sql`select count(distinct cast(xmin as text)) as count from notes`,
    )
    expect(row?.count).toBeLessThan(WORKS / 4)
  })
})

test('works that name the same row run one after the other: each reads what the one before has written', async () => {
  const db = await openNotes()
  const increment = async (tx: Writer) => {
    const row = await tx.first<{ count: number }>(sql`select count from counters where id = 1`)
    tx.queue(sql`update counters set count = ${(row?.count ?? 0) + 1} where id = 1`)
    return row?.count
  }
  const group = { kind: 'counter', account: 'one', row: 'counter' }
  expect(await Promise.all(numbers.map(() => db.transact(increment, { group })))).toEqual(numbers)
})

test('a work gets what the work before it returned that named the same row, and nothing of refused ones', async () => {
  const db = await openNotes()
  let reads = 0
  const increment = (n: number) => async (tx: Writer, before?: number) => {
    if (before === undefined) reads += 1
    const count =
      before ?? (await tx.first<{ count: number }>(sql`select count from counters where id = 1`))?.count ?? 0
    if (n % 3 === 1) throw new Error('refused')
    tx.queue(sql`update counters set count = ${count + 1} where id = 1`)
    return count + 1
  }
  const group = { kind: 'counter', account: 'one', row: 'counter' }
  const outcomes = await settle(numbers.map((n) => db.transact(increment(n), { group })))
  const counts = outcomes.filter((outcome) => !(outcome instanceof Error))
  expect(counts).toEqual(counts.map((_, index) => index + 1))
  expect(counts).toHaveLength((WORKS * 2) / 3)
  expect(await db.read.first(sql`select count from counters where id = 1`)).toEqual({ count: counts.length })
  if (isPostgres()) expect(reads).toBeLessThan(WORKS / 4)
})

test('works of several rows share transactions, and no change of a row is lost', async () => {
  const db = await openNotes()
  await db.transact((tx) => tx.execute(sql`insert into counters (id, count) values (2, 0), (3, 0)`))
  const increment = (id: number) => async (tx: Writer, before?: number) => {
    const read = sql`select count from counters where id = ${id} ${FOR_UPDATE}`
    const count = before ?? (await tx.first<{ count: number }>(read))?.count ?? 0
    tx.queue(sql`update counters set count = ${count + 1} where id = ${id}`)
    return count + 1
  }
  const rowOf = (n: number) => (n % 3) + 1
  await Promise.all(
    numbers.map((n) =>
      db.transact(increment(rowOf(n)), { group: { kind: 'counters', account: 'one', row: String(rowOf(n)) } }),
    ),
  )
  const rows = await db.read.all<{ count: number }>(sql`select count from counters`)
  expect(rows.map(({ count }) => count)).toEqual([WORKS / 3, WORKS / 3, WORKS / 3])
})

test.skipIf(!isPostgres())(
  'a work that reads before it locks its row is refused beside works of other rows',
  async () => {
    const db = await openNotes()
    const read = (tx: Writer) => tx.first(sql`select count from counters where id = 1`)
    const outcomes = await settle(
      numbers.map((n) => db.transact(read, { group: { kind: 'counters', account: 'one', row: String(n) } })),
    )
    expect(outcomes.at(-1)).toMatchObject({ message: 'the first statement of a work that names a row locks it' })
  },
)

test('a work that is rolled back with its group runs again without what was returned before', async () => {
  const db = await openNotes()
  const increment = (n: number) => async (tx: Writer, before?: number) => {
    const count =
      before ?? (await tx.first<{ count: number }>(sql`select count from counters where id = 1`))?.count ?? 0
    tx.queue(sql`update counters set count = ${count + 1} where id = 1`)
    if (n === 7) throw new Error('failed after its change')
    return count + 1
  }
  const group = { kind: 'counter', account: 'one', row: 'counter' }
  await settle(numbers.map((n) => db.transact(increment(n), { group })))
  expect(await db.read.first(sql`select count from counters where id = 1`)).toEqual({ count: WORKS - 1 })
})

describe.skipIf(!isPostgres())('works of several accounts', () => {
  const ACCOUNTS = numbers.map((id) => `account-${id}`)
  const noteOf = (db: Database, id: number, work = (tx: Writer) => addNote(tx, id)) =>
    db.transact(work, { group: { kind: 'notes', account: ACCOUNTS[id] as string } })

  const countTransactions = async (db: Database) =>
    (await db.read.first<{ count: number }>(sql`select count(distinct cast(xmin as text)) as count from notes`))?.count

  test('share transactions', async () => {
    const db = await openNotes()
    await Promise.all(numbers.map((id) => noteOf(db, id)))
    expect(await countTransactions(db)).toBeLessThan(WORKS / 4)
  })

  test('do not share transactions with those of another kind', async () => {
    const db = await openNotes()
    const add = (id: number) => db.transact((tx) => addNote(tx, id), { group: { kind: `notes-${id}`, account: 'one' } })
    await Promise.all(numbers.map(add))
    expect(await countTransactions(db)).toBe(WORKS)
  })

  test('of which one fails after it has changed rows are stored', async () => {
    const db = await openNotes()
    const failing = async (tx: Writer) => {
      await addNote(tx, 1000)
      throw new Error('refused')
    }
    const outcomes = await settle(numbers.map((id) => noteOf(db, id, id === 7 ? failing : undefined)))
    expect(outcomes[7]).toMatchObject({ message: 'refused' })
    expect(await listNotes(db)).toEqual(numbers.filter((id) => id !== 7))
  })

  // A row for each account. Those of `locked` are held by a session of another node until `release`.
  async function openLocked(locked: number[]) {
    const database = await createEmptyDatabase()
    const [db, other] = [await openNode(database), await openNode(database)]
    await db.transact(async (tx) => {
      await tx.execute(sql`create table counters (id bigint primary key, count bigint not null)`)
      for (const id of numbers) await tx.execute(sql`insert into counters (id, count) values (${id}, 0)`)
    })
    const lock = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holder = other.transact(async (tx) => {
      for (const id of locked) await tx.execute(sql`update counters set count = 100 where id = ${id}`)
      isHeld.resolve()
      await lock.promise
    })
    await isHeld.promise
    const runs = new Map<number, number>()
    const increment = (id: number) => {
      const work = (tx: Writer) => {
        runs.set(id, (runs.get(id) ?? 0) + 1)
        return tx.execute(sql`update counters set count = count + 1 where id = ${id}`)
      }
      return noteOf(db, id, work)
    }
    const release = async () => {
      lock.resolve()
      await holder
    }
    return { increment, release, runs }
  }

  test('do not wait for an account whose row is locked, and join its next works only when it is free again', async () => {
    const { increment, release, runs } = await openLocked([1])
    const waiting = [increment(1)]
    const others = numbers.filter((id) => id !== 1)
    await Promise.all(others.map(increment))
    waiting.push(increment(1))
    await Promise.all(others.map(increment))
    // Some ran in the transaction that gave up, and again alone; then all in one without the locked account.
    expect(Math.max(...others.map((id) => runs.get(id) ?? 0))).toBeLessThanOrEqual(3)
    expect(await Promise.race([...waiting, 'still waiting'])).toBe('still waiting')
    await release()
    expect(await Promise.all(waiting)).toEqual([1, 1])
  })

  test('do not wait for several accounts of which each came alone and waits for its row', async () => {
    const locked = [1, 2, 3, 4]
    const { increment, release } = await openLocked(locked)
    const waiting: Promise<number>[] = []
    for (const id of locked) {
      waiting.push(increment(id))
      await new Promise(setImmediate)
    }
    expect(await increment(5)).toBe(1)
    expect(await Promise.race([...waiting, 'still waiting'])).toBe('still waiting')
    await release()
    expect(await Promise.all(waiting)).toEqual([1, 1, 1, 1])
  })
})

test.skipIf(!isPostgres())(
  'works of several rows do not deadlock with a transaction that locks them in another order',
  async () => {
    const database = await createEmptyDatabase()
    const [db, other] = [await openNode(database), await openNode(database)]
    await db.transact(async (tx) => {
      await tx.execute(sql`create table counters (id bigint primary key, count bigint not null)`)
      await tx.execute(sql`insert into counters (id, count) values (1, 0), (2, 0)`)
    })
    const increment = (tx: Writer, id: number) =>
      tx.execute(sql`update counters set count = count + 1 where id = ${id}`)
    const change = (id: number) =>
      db.transact((tx) => increment(tx, id), { group: { kind: 'counter', account: 'one', row: String(id) } })
    const changes = await other.transact(async (tx) => {
      await increment(tx, 2)
      const both = [change(1), change(2)]
      await untilLockWaits(other, 1)
      await increment(tx, 1)
      return both
    })
    await Promise.all(changes)
    expect(await db.read.all(sql`select count from counters order by id`)).toEqual([{ count: 2 }, { count: 2 }])
    await Promise.all([db.close(), other.close()])
    expect(await readDeadlocks(database)).toBe(0)
  },
)

test('a work that decides by other rows runs alone, and so sees what works beside it have changed', async () => {
  const db = await openNotes()
  // Each may add a note while there are fewer than ten.
  const addIfRoom = (id: number) => async (tx: Writer) => {
    await tx.lock(sql`select id from counters where id = 1`)
    tx.requireAlone()
    const row = await tx.first<{ count: number }>(sql`select count(*) as count from notes`)
    if ((row?.count ?? 0) < 10) await addNote(tx, id)
  }
  await Promise.all(
    numbers.map((id) => db.transact(addIfRoom(id), { group: { kind: 'notes', account: 'one', row: String(id) } })),
  )
  expect(await listNotes(db)).toHaveLength(10)
})

// Works that ask nothing of the database.
const withoutStatements = (run: Run<unknown>) => run(openTransaction(async () => expect.fail('asked'), new Set()))

// Groups whose transactions are made by `transact`, in the first turn of which all works arrive.
function groupsOf(transact: (run: Run<unknown>) => Promise<unknown>, monotonicMs = () => 0) {
  return createGroups({ transact: transact as GroupsParts['transact'], monotonicMs })
}

test('works that take long do not run in one turn: after a few milliseconds the next one reads again', async () => {
  let nowMs = 0
  const reading: number[] = []
  const groups = groupsOf(withoutStatements, () => nowMs)
  const work = (n: number, takesMs: number) => async (_: Writer, before?: number) => {
    if (before === undefined) reading.push(n)
    nowMs += takesMs
    return n
  }
  const group = { kind: 'slow', account: 'one', row: 'slow' }
  await Promise.all(numbers.slice(0, 9).map((n) => groups.enqueue(group, work(n, 3))))
  expect(reading).toEqual([0, 3, 6])
})

test('works begin in the order of their accounts and rows, so that two nodes lock them in the same order', async () => {
  const begun: string[] = []
  const groups = groupsOf(withoutStatements)
  const begin = (place: string) => {
    const [account = '', row = ''] = place.split(' ')
    return groups.enqueue({ kind: 'rows', account, row }, async () => begun.push(place))
  }
  await Promise.all(['b d', 'a c', 'b a', 'b c', 'a b', 'b a'].map(begin))
  expect(begun).toEqual(['a b', 'a c', 'b a', 'b c', 'b d', 'b a'])
})

test('works that wait for one that cannot reach the database fail with it, and are not tried in turn', async () => {
  let tried = 0
  const groups = groupsOf(async () => {
    tried += 1
    throw unavailable('unreachable', new Error('Connection terminated'))
  })
  const refused = await settle(numbers.map(() => groups.enqueue({ kind: 'notes', account: 'one' }, async () => {})))
  expect(refused).toMatchObject(refused.map(() => ({ code: 'service.unavailable' })))
  expect(tried).toBe(1)
})
