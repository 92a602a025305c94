// The guarantees of `transact` and `rehearse`, the same on both databases, and the limits of group commit.
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/contract/problems.ts'
import type { Database, Reader, Writer } from '../../src/store/engine/database.ts'
import { fragment, IDENTITY, sql } from '../../src/store/engine/sql.ts'
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts'
import { isPostgres, type TestDatabase } from '../support/database/database.ts'
import { createEmptyDatabase, fileOf, openNode } from '../support/database/open-database.ts'
import { commitEnds } from '../support/database/sqlite-wal.ts'
import { eventually } from '../support/eventually.ts'

async function openNotes(): Promise<{ db: Database; database: TestDatabase }> {
  const database = await createEmptyDatabase()
  const db = await openNode(database)
  await db.transact(async (tx) => {
    await tx.execute(sql`create table notes (id bigint primary key, text text not null)`)
  })
  return { db, database }
}

const addNote = (tx: Writer, id: number, text = '') =>
  tx.execute(sql`insert into notes (id, text) values (${id}, ${text})`)

async function noteIds(db: Reader): Promise<number[]> {
  return (await db.all<{ id: number }>(sql`select id from notes order by id`)).map(({ id }) => id)
}

const settle = (works: Promise<unknown>[]) => Promise.all(works.map((work) => work.catch((error: unknown) => error)))
const problemOf = (error: unknown) => (error instanceof Problem ? error.code : error)

describe('transact', () => {
  test('returns the result of the callback once other nodes can see the change', async () => {
    const { db, database } = await openNotes()
    const other = await openNode(database)
    expect(await db.transact(async (tx) => ({ changed: await addNote(tx, 1) }))).toEqual({ changed: 1 })
    expect(await noteIds(db.read)).toEqual([1])
    expect(await noteIds(other.read)).toEqual([1])
  })

  test('queued statements run in order, before later statements of the transaction and before its commit', async () => {
    const { db } = await openNotes()
    const seen = await db.transact(async (tx) => {
      tx.queue(sql`insert into notes (id, text) values (1, 'a')`)
      tx.queue(sql`update notes set text = text || 'b' where id = 1`)
      return tx.first<{ text: string }>(sql`select text from notes where id = 1`)
    })
    expect(seen).toEqual({ text: 'ab' })
    await db.transact(async (tx) => tx.queue(sql`insert into notes (id, text) values (2, 'c')`))
    expect(await noteIds(db.read)).toEqual([1, 2])
  })

  test('a queued statement that fails rolls back the transaction and rejects with its own error', async () => {
    const { db } = await openNotes()
    const write = (tx: Writer) => {
      tx.queue(sql`insert into notes (id, text) values (1, 'a')`)
      tx.queue(sql`insert into notes (id, text) values (1, 'b')`)
    }
    const works = [
      db.transact(async (tx) => write(tx)),
      db.transact(async (tx) => {
        write(tx)
        await addNote(tx, 2)
      }),
      db.transact((tx) => addNote(tx, 3)),
      db.rehearse(async (tx) => write(tx)),
    ]
    const [alone, followed, other, rehearsed] = await settle(works)
    for (const error of [alone, followed, rehearsed]) expect(String(error)).toMatch(/unique/i)
    expect(other).toBe(1)
    expect(await noteIds(db.read)).toEqual([3])
  })

  test('a last step gets what was collected for it once, after the work, and earlier if the work needs it', async () => {
    const { db } = await openNotes()
    const taken: number[][] = []
    const add = (tx: Writer, ids: number[]) => {
      taken.push(ids)
      for (const id of ids) tx.queue(sql`insert into notes (id, text) values (${id}, '')`)
    }
    const seen = await db.transact(async (tx) => {
      for (const id of [1, 2]) tx.later(add, id)
      const before = await noteIds(tx)
      tx.takeNow(add)
      const after = await noteIds(tx)
      for (const id of [3, 4]) tx.later(add, id)
      return { before, after }
    })
    expect(seen).toEqual({ before: [], after: [1, 2] })
    expect(taken).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(await noteIds(db.read)).toEqual([1, 2, 3, 4])
  })

  test('a last step is part of its transaction: not taken if the work fails, undone if it fails itself', async () => {
    const { db } = await openNotes()
    const add = (tx: Writer, ids: number[]) => {
      for (const id of ids) tx.queue(sql`insert into notes (id, text) values (${id}, '')`)
    }
    const outcomes = await settle([
      db.transact(async (tx) => {
        tx.later(add, 1)
        throw new Error('refused')
      }),
      db.transact(async (tx) => {
        await addNote(tx, 2)
        tx.later(add, 2)
      }),
      db.rehearse(async (tx) => tx.later(add, 3)),
      db.transact(async (tx) => tx.later(add, 4)),
    ])
    expect(outcomes.map(String)).toEqual(['Error: refused', expect.stringMatching(/unique/i), 'undefined', 'undefined'])
    expect(await noteIds(db.read)).toEqual([4])
  })

  test('when one of several concurrent parts fails, the other parts can no longer write', async () => {
    const { db } = await openNotes()
    const keepWriting = async (tx: Writer, from: number) => {
      for (let id = from; id < from + 20; id++) await addNote(tx, id)
    }
    const fail = async (tx: Writer) => {
      await addNote(tx, 1)
      throw new Error('refused')
    }
    const works = Array.from({ length: 20 }, (_, index) =>
      db.transact((tx) => Promise.all([keepWriting(tx, 100 * index), fail(tx), keepWriting(tx, 100 * index + 50)])),
    )
    for (const error of await settle(works)) expect(String(error)).toMatch(/refused|unique/)
    await db.transact((tx) => addNote(tx, 5000))
    expect(await noteIds(db.read)).toEqual([5000])
  })

  test('insert returns the id of the new row', async () => {
    const { db } = await openNotes()
    const thing = sql`insert into things (text) values ('x')`
    await db.transact((tx) => tx.execute(sql`create table things (id ${IDENTITY}, text text not null)`))
    expect(await db.transact(async (tx) => [await tx.insert(thing), await tx.insert(thing)])).toEqual([1, 2])
  })

  test('a read is never older than the last commit, of this node or another', async () => {
    const { db, database } = await openNotes()
    const other = await openNode(database)
    const textIn = async ({ read }: Database) =>
      (await read.first<{ text: string }>(sql`select text from notes where id = ${1}`))?.text
    await db.transact((tx) => addNote(tx, 1, 'first'))
    for (const text of ['second', 'third']) {
      for (const writer of [db, other]) {
        const before = await textIn(db)
        expect(await textIn(other)).toBe(before)
        await writer.transact(async (tx) => {
          await tx.execute(sql`update notes set text = text || ${text} where id = 1`)
        })
        expect(await textIn(writer)).toBe(before + text)
        expect([await textIn(db), await textIn(other)]).toEqual([before + text, before + text])
      }
    }
    await db.transact((tx) => tx.execute(sql`delete from notes`))
    expect([await textIn(db), await textIn(other)]).toEqual([undefined, undefined])
  })

  test('an uncommitted change is not visible to other nodes', async () => {
    const { db, database } = await openNotes()
    const other = await openNode(database)
    const seen = await db.transact(async (tx) => {
      await addNote(tx, 1)
      return { inside: await noteIds(tx), outside: await noteIds(other.read) }
    })
    expect(seen).toEqual({ inside: [1], outside: [] })
  })

  test('rolls back when the callback throws, and rejects with the same error', async () => {
    const { db } = await openNotes()
    const reason = new Error('changed my mind')
    const failing = db.transact(async (tx) => {
      await addNote(tx, 1)
      throw reason
    })
    await expect(failing).rejects.toBe(reason)
    expect(await noteIds(db.read)).toEqual([])
  })

  test('a failing transaction does not fail those in the same group commit', async () => {
    const { db } = await openNotes()
    const works = Array.from({ length: 60 }, (_, id) =>
      db.transact(async (tx) => {
        await addNote(tx, id)
        if (id % 3 === 0) await addNote(tx, id, 'the same id once more')
        if (id % 3 === 1) throw new Error(`refused ${id}`)
        return id
      }),
    )
    const outcomes = await settle(works)
    for (const [id, outcome] of outcomes.entries()) {
      if (id % 3 === 2) expect(outcome).toBe(id)
      else expect(outcome).toBeInstanceOf(Error)
      if (id % 3 === 1) expect(outcome).toMatchObject({ message: `refused ${id}` })
    }
    expect(await noteIds(db.read)).toEqual(Array.from({ length: 20 }, (_, i) => i * 3 + 2))
  })

  test('a callback that swallows a failed statement does not return success unless the change is stored', async () => {
    const { db } = await openNotes()
    const outcome = await db
      .transact(async (tx) => {
        await addNote(tx, 1)
        await addNote(tx, 1).catch(() => {})
        return 'stored'
      })
      .catch(() => 'refused')
    expect(await noteIds(db.read)).toEqual(outcome === 'stored' ? [1] : [])
  })

  test('fails when used after its end, and does not write into the next transaction', async () => {
    const { db } = await openNotes()
    let escaped: Writer | undefined
    await db.transact(async (tx) => {
      escaped = tx
    })
    const next = db.transact(async (tx) => {
      await expect(escaped?.execute(sql`insert into notes (id, text) values (1, 'late')`)).rejects.toThrow('has ended')
      await expect(escaped?.all(sql`select id from notes`)).rejects.toThrow('has ended')
      await expect(escaped?.first(sql`select id from notes`)).rejects.toThrow('has ended')
      return addNote(tx, 2)
    })
    expect(await next).toBe(1)
    expect(await noteIds(db.read)).toEqual([2])
  })

  test.skipIf(isPostgres())(
    'C6 a transaction or a read inside the callback of another is refused immediately, and the next one works',
    async () => {
      const { db } = await openNotes()
      const nested = (use: () => Promise<unknown>) => db.transact(async () => use())
      const rehearsed = (use: () => Promise<unknown>) => db.rehearse(async () => use())
      for (const outer of [nested, rehearsed]) {
        await expect(outer(() => db.transact((tx) => addNote(tx, 1)))).rejects.toThrow('pass `tx` on')
        await expect(outer(() => db.rehearse((tx) => addNote(tx, 1)))).rejects.toThrow('pass `tx` on')
        await expect(outer(() => noteIds(db.read))).rejects.toThrow('read through `tx`')
        await expect(outer(() => db.read.first(sql`select id from notes`))).rejects.toThrow('read through `tx`')
      }
      await db.transact((tx) => addNote(tx, 2))
      expect(await noteIds(db.read)).toEqual([2])
    },
  )

  test('C6 code outside of a running callback may read and start other transactions', async () => {
    const { db } = await openNotes()
    const beginAndRead = async (id: number) => {
      const added = db.transact((tx) => addNote(tx, id))
      await noteIds(db.read)
      await added
      return noteIds(db.read)
    }
    await Promise.all(Array.from({ length: 30 }, (_, id) => beginAndRead(id)))
    expect(await noteIds(db.read)).toHaveLength(30)
  })

  test('C6 a callback that throws synchronously does not leave later transactions refused', async () => {
    const { db } = await openNotes()
    const failing = db.transact(() => {
      throw new Error('at once')
    })
    await expect(failing).rejects.toThrow('at once')
    expect(await noteIds(db.read)).toEqual([])
    await db.transact((tx) => addNote(tx, 1))
  })

  test('close() waits for transactions that have started', async () => {
    const { db, database } = await openNotes()
    const node = await openNode(database)
    const begun = Array.from({ length: 5 }, (_, id) => node.transact((tx) => addNote(tx, id)))
    await Promise.all([...begun, node.close()])
    expect(await noteIds(db.read)).toEqual([0, 1, 2, 3, 4])
  })
})

describe('rehearse', () => {
  test('runs the callback, returns its result, and stores nothing', async () => {
    const { db } = await openNotes()
    const answer = await db.rehearse(async (tx) => {
      await addNote(tx, 1)
      return noteIds(tx)
    })
    expect(answer).toEqual([1])
    expect(await noteIds(db.read)).toEqual([])
  })

  test('rejects when the callback fails', async () => {
    const { db } = await openNotes()
    await expect(db.rehearse((tx) => Promise.all([addNote(tx, 1), addNote(tx, 1)]))).rejects.toThrow()
  })

  test('rolls back nothing of the transactions in the same group commit', async () => {
    const { db } = await openNotes()
    const works = [1, 2, 3, 4].map((id) => (id % 2 ? db.transact : db.rehearse)((tx) => addNote(tx, id)))
    expect(await Promise.all(works)).toEqual([1, 1, 1, 1])
    expect(await noteIds(db.read)).toEqual([1, 3])
  })
})

describe('signals', () => {
  test('are published after the commit, when the change can be read', async () => {
    const { db } = await openNotes()
    const seen: Promise<number[]>[] = []
    db.signals.subscribe('notes', () => seen.push(noteIds(db.read)))
    await db.transact(async (tx) => {
      await addNote(tx, 1)
      tx.signal('notes')
      expect(seen).toEqual([])
    })
    await eventually(() => expect(seen.length).toBeGreaterThan(0))
    expect(await seen[0]).toEqual([1])
  })

  test('are not published for a transaction that failed or was rehearsed', async () => {
    const { db } = await openNotes()
    const published: string[] = []
    for (const topic of ['failed', 'rehearsed', 'kept']) db.signals.subscribe(topic, () => published.push(topic))
    await settle([
      db.transact(async (tx) => {
        tx.signal('failed')
        throw new Error('no')
      }),
      db.rehearse(async (tx) => tx.signal('rehearsed')),
      db.transact(async (tx) => tx.signal('kept')),
    ])
    await eventually(() => expect(published).toContain('kept'))
    expect(new Set(published)).toEqual(new Set(['kept']))
  })
})

describe.skipIf(isPostgres())('group commit on SQLite', () => {
  const commitCount = (database: TestDatabase) => commitEnds(readFileSync(`${fileOf(database)}-wal`)).length

  // With a clock that stands still, so that a slow machine does not end a group early.
  async function openGroups() {
    const { database } = await openNotes()
    const db = openSqlite(fileOf(database), { monotonicMs: () => 0 })
    onTestFinished(() => db.close())
    return { db, database }
  }

  test('concurrent transactions share one commit; sequential ones have one each', async () => {
    const { db, database } = await openGroups()
    const before = commitCount(database)
    await Promise.all(Array.from({ length: 50 }, (_, id) => db.transact((tx) => addNote(tx, id))))
    expect(commitCount(database)).toBe(before + 1)
    for (const id of [100, 101, 102]) await db.transact((tx) => addNote(tx, id))
    expect(commitCount(database)).toBe(before + 4)
  })

  test('C6 a transaction that waits for anything but its own statements is refused, and delays no other', async () => {
    const { db } = await openNotes()
    let escaped: Promise<unknown> | undefined
    const works = [
      db.transact((tx) => addNote(tx, 1)),
      db.transact(async (tx) => {
        await addNote(tx, 2)
        await new Promise(setImmediate)
        escaped = addNote(tx, 3)
        await escaped
      }),
      db.transact((tx) => addNote(tx, 4)),
    ]
    const [first, waited, last] = await settle(works)
    expect([first, last]).toEqual([1, 1])
    expect(String(waited)).toMatch(/awaited something other than its own statements/)
    await eventually(() => expect(escaped).toBeDefined())
    await expect(escaped).rejects.toThrow('has ended')
    expect(await noteIds(db.read)).toEqual([1, 4])
  })

  test('C15 a transaction that is refused without having written does not make the others of its group run again', async () => {
    const { db } = await openNotes()
    await db.transact((tx) => addNote(tx, 1))
    const refusals = [
      (tx: Writer) => tx.execute(sql`insert into notes (id, text) values (1, '') on conflict do nothing`),
      (tx: Writer) => tx.execute(sql`update notes set text = 'x' where id = 99`),
      (tx: Writer) => tx.first(sql`update notes set text = 'x' where id = 99 returning id`),
      (tx: Writer) => tx.all(sql`delete from notes where id = 99 returning id`),
      (tx: Writer) => addNote(tx, 1),
    ]
    let runs = 0
    const neighbour = (id: number) =>
      db.transact(async (tx) => {
        runs++
        await addNote(tx, id)
      })
    const refused = (refusal: (tx: Writer) => Promise<unknown>) =>
      db.transact(async (tx) => {
        await refusal(tx)
        throw new Error('refused')
      })
    const ids = Array.from({ length: 20 }, (_, index) => 100 + index)
    const outcomes = settle([
      ...ids.slice(0, 10).map(neighbour),
      ...refusals.map(refused),
      ...ids.slice(10).map(neighbour),
    ])
    expect((await outcomes).filter((outcome) => outcome instanceof Error)).toHaveLength(refusals.length)
    expect(runs).toBe(20)
    expect(await noteIds(db.read)).toEqual([1, ...ids])
  })

  test('a group that takes longer than its time slice leaves the rest to the next turn of the event loop', async () => {
    const { database } = await openNotes()
    let nowMs = 0
    const db = openSqlite(fileOf(database), { monotonicMs: () => nowMs })
    onTestFinished(() => db.close())
    const before = commitCount(database)
    const slow = (id: number) =>
      db.transact(async (tx) => {
        await addNote(tx, id)
        nowMs += 4
      })
    let turns = 0
    let done = false
    const countTurns = () => {
      turns++
      if (!done) setImmediate(countTurns)
    }
    countTurns()
    await Promise.all(Array.from({ length: 12 }, (_, id) => slow(id)))
    done = true
    expect(commitCount(database)).toBe(before + 4)
    expect(turns).toBeGreaterThanOrEqual(4)
    expect(await noteIds(db.read)).toHaveLength(12)
  })

  test('all transactions of a group fail when its commit fails, and nothing of them is stored', async () => {
    const { db } = await openGroups()
    await db.transact((tx) =>
      tx.execute(sql`create table remarks (note bigint references notes (id) deferrable initially deferred)`),
    )
    const published: string[] = []
    db.signals.subscribe('notes', () => published.push('notes'))
    const outcomes = await settle([
      db.transact((tx) => addNote(tx, 1)),
      db.transact(async (tx) => tx.signal('notes')),
      // The statement succeeds; the deferred foreign key fails the commit: there is no such note.
      db.transact((tx) => tx.execute(sql`insert into remarks (note) values (7)`)),
      db.transact((tx) => addNote(tx, 2)),
    ])
    expect(outcomes.map(problemOf)).toEqual(Array(4).fill('service.unavailable'))
    expect(await noteIds(db.read)).toEqual([])
    expect(published).toEqual([])
    await db.transact((tx) => addNote(tx, 3))
    expect(await noteIds(db.read)).toEqual([3])
  })

  test('all fail when the disk is full; reads are served, and writes succeed again once there is room', async () => {
    const { db } = await openGroups()
    const pages = await db.read.first<{ page_count: number }>(sql`pragma page_count`)
    const limitPages = (count: number) =>
      db.transact((tx) => tx.all(sql`pragma max_page_count = ${fragment(String(count))}`))
    await limitPages((pages?.page_count ?? 0) + 2)
    const long = 'x'.repeat(100_000)
    const insert = sql`insert into notes (id, text) values (2, ${long}) returning id`
    // The driver reports the error in a different shape for each method.
    for (const fill of [
      (tx: Writer) => tx.execute(insert),
      (tx: Writer) => tx.all(insert),
      (tx: Writer) => tx.first(insert),
    ]) {
      const outcomes = await settle([db.transact((tx) => addNote(tx, 1)), db.transact(fill)])
      expect(outcomes.map(problemOf)).toEqual(Array(2).fill('service.unavailable'))
      expect(await noteIds(db.read)).toEqual([])
    }
    await limitPages(1_000_000)
    await db.transact((tx) => addNote(tx, 4, long))
    expect(await noteIds(db.read)).toEqual([4])
  })

  test('R02 every connection has synchronous=FULL, the second one too', async () => {
    const { db, database } = await openNotes()
    const level = (node: Database) =>
      Promise.all([node.read.first(sql`pragma synchronous`), node.transact((tx) => tx.first(sql`pragma synchronous`))])
    expect(await level(db)).toEqual([{ synchronous: 2 }, { synchronous: 2 }])
    expect(await level(await openNode(database))).toEqual([{ synchronous: 2 }, { synchronous: 2 }])
  })

  test('reading a damaged file fails with service.unavailable, not with an internal error', async () => {
    const { database } = await openNotes()
    const node = await openNode(database)
    await node.transact((tx) => addNote(tx, 1, 'x'.repeat(100_000)))
    await node.close()
    damage(fileOf(database))
    const reopened = await openNode(database)
    const reading = reopened.read.all(sql`select text from notes`)
    await expect(reading).rejects.toMatchObject({ code: 'service.unavailable' })
  })
})

// Overwrites everything after the first page, which identifies the file as a database.
function damage(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0xff, 4096)
  writeFileSync(file, bytes)
}

describe('a value of a statement', () => {
  // What a sender's JSON, or a look-up by a sender's word in an ordinary object, can be.
  const FOREIGN: [string, unknown][] = [
    ['an object with the members of a statement', { strings: ["'from the sender'"], parts: [] }],
    [
      'an object with the members of a fragment',
      { text: { sqlite: "'from the sender'", postgres: "'from the sender'" } },
    ],
    ['the prototype of objects', Object.prototype],
    ['a function', Object],
    ['an array', ['a']],
    ['undefined', undefined],
    ['true', true],
  ]

  test.each(FOREIGN)('is refused and never read as SQL if it is %s', async (_what, foreign) => {
    const { db } = await openNotes()
    const value = foreign as string
    await expect(db.read.all(sql`select ${value} as text`)).rejects.toThrow('A parameter of a statement')
    const insert = sql`insert into notes (id, text) values (1, ${value})`
    await expect(db.transact((tx) => tx.execute(insert))).rejects.toThrow('A parameter of a statement')
    expect(await noteIds(db.read)).toEqual([])
  })
})
