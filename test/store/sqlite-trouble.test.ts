// How a locked, moved or damaged file affects reads and writes, and how service resumes.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database, Writer } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { loadSqlite, troubleOf } from '../../src/store/engine/sqlite/connection.ts'
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts'
import type { Trouble } from '../../src/store/engine/trouble.ts'
import { isPostgres } from '../support/database/database.ts'
import { createEmptyDatabase, fileOf } from '../support/database/open-database.ts'
import { holdWriteLock } from '../support/database/sqlite-lock.ts'
import { eventually } from '../support/eventually.ts'

const PATIENCE_MS = 5000

// A database with a monotonic clock that the test moves, and everything it reported.
async function openNotes() {
  const file = fileOf(await createEmptyDatabase())
  const time = { ms: 0 }
  const reported: (Trouble | undefined)[] = []
  const report = (trouble: Trouble | undefined) => void reported.push(trouble)
  const open = () => openSqlite(file, { monotonicMs: () => time.ms, lockPatienceMs: PATIENCE_MS, report })
  const db = open()
  onTestFinished(() => db.close())
  await db.transact((tx) => tx.execute(sql`create table notes (id bigint primary key, text text not null)`))
  return { db, file, time, reported, open }
}

const addNote = (tx: Writer, id: number, text = '') =>
  tx.execute(sql`insert into notes (id, text) values (${id}, ${text})`)
const add = (db: Database, id: number, text?: string) => db.transact((tx) => addNote(tx, id, text))
const noteIds = async (db: Database) =>
  (await db.read.all<{ id: number }>(sql`select id from notes order by id`)).map(({ id }) => id)
const unavailable = (detail: RegExp) => ({ code: 'service.unavailable', message: expect.stringMatching(detail) })

describe.skipIf(isPostgres())('F10 while another process holds the write lock', () => {
  test('the event loop keeps turning, reads are answered, and writes are stored in order once the lock is released', async () => {
    const { db, file, reported } = await openNotes()
    await add(db, 1)
    const release = holdWriteLock(file)
    const added = [add(db, 2), add(db, 3), db.rehearse((tx) => addNote(tx, 9))]
    for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate)
    expect(await noteIds(db)).toEqual([1])
    added.push(add(db, 4))
    release()
    expect(await Promise.all(added)).toEqual([1, 1, 1, 1])
    expect(await noteIds(db)).toEqual([1, 2, 3, 4])
    expect([db.trouble(), reported]).toEqual([undefined, []])
  })

  test('a write is refused after waiting five seconds; one that came later keeps waiting', async () => {
    const { db, file, time, reported } = await openNotes()
    const release = holdWriteLock(file)
    const early = add(db, 1)
    time.ms = 1
    const late = add(db, 2)
    time.ms = PATIENCE_MS
    await expect(early).rejects.toMatchObject(unavailable(/another process holds its write lock; try again/))
    expect(db.trouble()).toBe('locked')
    release()
    await late
    expect(await noteIds(db)).toEqual([2])
    expect([db.trouble(), reported]).toEqual([undefined, ['locked', undefined]])
  })

  test('close() waits for writes that wait for the lock', async () => {
    const { file, open } = await openNotes()
    const db = open()
    const release = holdWriteLock(file)
    const added = add(db, 1)
    const closed = db.close()
    await new Promise(setImmediate)
    release()
    expect(await added).toBe(1)
    await closed
  })
})

describe.skipIf(isPostgres())('F19 a database file that was removed or replaced', () => {
  test.each([
    ['removed', () => {}],
    ['replaced', (file: string) => writeFileSync(file, readFileSync(`${file}.away`))],
  ])('%s: writes are refused within a second, and accepted when the file is back', async (_, replace) => {
    const { db, file, time, reported } = await openNotes()
    renameSync(file, `${file}.away`)
    replace(file)
    time.ms += 1000
    expect(db.trouble()).toBe('moved')
    await expect(add(db, 1)).rejects.toMatchObject(
      unavailable(/file was removed or replaced; the operator must restart/),
    )
    rmSync(file, { force: true })
    renameSync(`${file}.away`, file)
    await add(db, 2)
    expect(await noteIds(db)).toEqual([2])
    expect([db.trouble(), reported]).toEqual([undefined, ['moved', undefined]])
  })
})

describe.skipIf(isPostgres())('F19 a damaged database file', () => {
  async function damagedFrom(firstByte: number) {
    const { file, reported, open } = await openNotes()
    const db = open()
    await add(db, 1, 'x'.repeat(100_000))
    await db.close()
    writeFileSync(file, readFileSync(file).fill(0xff, firstByte))
    return { reported, open }
  }

  test('says that a backup must be restored: once in the log, and in every error', async () => {
    const { reported, open } = await damagedFrom(4096)
    const db = open()
    onTestFinished(() => db.close())
    for (let times = 0; times < 2; times++) {
      await expect(noteIds(db)).rejects.toMatchObject(unavailable(/damaged; the operator must restore a backup/))
    }
    await expect(add(db, 2)).rejects.toMatchObject(unavailable(/damaged/))
    expect([db.trouble(), reported]).toEqual(['damaged', ['damaged']])
  })

  test('is not opened when its header cannot be read', async () => {
    const { open } = await damagedFrom(0)
    expect(open).toThrow(/is damaged \(file is not a database\); restore a backup/)
  })
})

test.each([
  ['SQLITE_BUSY', 5, 'locked'],
  ['SQLITE_BUSY_SNAPSHOT', 517, 'locked'],
  ['SQLITE_READONLY_RECOVERY', 264, 'read-only'],
  ['SQLITE_READONLY_DBMOVED', 1032, 'moved'],
  ['SQLITE_IOERR_WRITE', 778, 'failing'],
  ['SQLITE_IOERR_FSYNC', 1034, 'failing'],
  ['SQLITE_CORRUPT_INDEX', 779, 'damaged'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 1555, undefined],
] as const)('the trouble that %s means', (_, errcode, trouble) => {
  expect(troubleOf(Object.assign(new Error('failed'), { errcode }))).toBe(trouble)
})

test.skipIf(isPostgres())('F19 the file and its log are readable by their owner only', async () => {
  const { file, db } = await openNotes()
  await add(db, 1)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(path).mode & 0o777).toBe(0o600)
})

describe.skipIf(isPostgres())('R12 the write-ahead log', () => {
  const MB = 1024 * 1024
  const walBytes = (file: string) => statSync(`${file}-wal`).size
  const batch = (db: Database, from: number) =>
    db.transact(async (tx) => {
      for (let id = from; id < from + 50; id++) await addNote(tx, id, 'x'.repeat(80_000))
    })

  test('stays under 64 MB while 200 MB are written, and reads are served', async () => {
    const { db, file } = await openNotes()
    let largest = 0
    for (let from = 0; from < 2500; from += 50) {
      await batch(db, from)
      await db.read.all(sql`select id from notes limit 1`)
      largest = Math.max(largest, walBytes(file))
    }
    expect(largest).toBeLessThan(64 * MB)
  })

  test('that grew during a long read is truncated below 64 MB after it', async () => {
    const { db, file } = await openNotes()
    await add(db, -1)
    const release = holdSnapshot(file)
    for (let from = 0; from < 1000; from += 50) await batch(db, from)
    expect(walBytes(file)).toBeGreaterThan(64 * MB)
    release()
    for (let from = 1000; from < 1500; from += 50) await batch(db, from)
    await eventually(() => expect(walBytes(file)).toBeLessThanOrEqual(64 * MB))
  })
})

// A read transaction of another process, such as a backup. It prevents the log from being checkpointed.
function holdSnapshot(file: string): () => void {
  const { DatabaseSync } = loadSqlite()
  const other = new DatabaseSync(file)
  other.exec('begin')
  other.prepare('select id from notes').all()
  return () => other.close()
}
