// Works of one group (`transact` with `group`) keep every guarantee of `transact`; on PostgreSQL they share transactions.
import { describe, expect, test } from 'vitest'
import type { Database, Writer } from '../../src/store/engine/database.ts'
import { createGroups } from '../../src/store/engine/postgres/groups.ts'
import { FOR_UPDATE, sql } from '../../src/store/engine/sql.ts'
import { unavailable } from '../../src/store/engine/trouble.ts'
import { isPostgres } from '../support/database/database.ts'
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
  const group = { key: 'notes', row }

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
  const group = { key: 'counter', row: 'counter' }
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
  const group = { key: 'counter', row: 'counter' }
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
    numbers.map((n) => db.transact(increment(rowOf(n)), { group: { key: 'counters', row: String(rowOf(n)) } })),
  )
  const rows = await db.read.all<{ count: number }>(sql`select count from counters`)
  expect(rows.map(({ count }) => count)).toEqual([WORKS / 3, WORKS / 3, WORKS / 3])
})

test.skipIf(!isPostgres())(
  'a work that reads before it locks its row is refused beside works of other rows',
  async () => {
    const db = await openNotes()
    const read = (tx: Writer) => tx.first(sql`select count from counters where id = 1`)
    const outcomes = await settle(numbers.map((n) => db.transact(read, { group: { key: 'counters', row: String(n) } })))
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
  const group = { key: 'counter', row: 'counter' }
  await settle(numbers.map((n) => db.transact(increment(n), { group })))
  expect(await db.read.first(sql`select count from counters where id = 1`)).toEqual({ count: WORKS - 1 })
})

test('works that take long do not run in one turn: after a few milliseconds the next one reads again', async () => {
  let nowMs = 0
  const reading: number[] = []
  const groups = createGroups(
    async (work) => {
      // Lets the others arrive while the first one runs.
      await Promise.resolve()
      return work({} as Writer)
    },
    () => nowMs,
  )
  const work = (n: number, takesMs: number) => async (_: Writer, before?: number) => {
    if (before === undefined) reading.push(n)
    nowMs += takesMs
    return n
  }
  const group = { key: 'slow', row: 'slow' }
  await Promise.all(numbers.slice(0, 9).map((n) => groups.enqueue(group, work(n, 3))))
  // The first runs alone.
  expect(reading).toEqual([0, 1, 4, 7])
})

test('works of several rows begin in the order of the rows, so that two nodes lock them in the same order', async () => {
  const begun: string[] = []
  const groups = createGroups(
    async (work) => {
      // Lets the others arrive while the first one runs.
      await Promise.resolve()
      return work({} as Writer)
    },
    () => 0,
  )
  const begin = (row: string) => groups.enqueue({ key: 'rows', row }, async () => begun.push(row))
  await Promise.all(['d', 'c', 'a', 'c', 'b'].map(begin))
  // The first runs alone.
  expect(begun).toEqual(['d', 'a', 'b', 'c', 'c'])
})

test('works that wait for one that cannot reach the database fail with it, and are not tried in turn', async () => {
  let tried = 0
  const groups = createGroups(
    async () => {
      tried += 1
      throw unavailable('unreachable', new Error('Connection terminated'))
    },
    () => 0,
  )
  const group = { key: 'notes' }
  const refused = await settle([1, 2, 3].map(() => groups.enqueue(group, async () => {})))
  expect(refused).toMatchObject(refused.map(() => ({ code: 'service.unavailable' })))
  expect(tried).toBe(1)
})
