// Request counts shared between nodes, and their memory bound.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type Instant, instant } from '../../src/domain/instant.ts'
import { createRateLimiter, type RateLimiter } from '../../src/operations/rate-limit.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { addToRateCounters, deleteRateCountersBefore } from '../../src/store/rate-counters.ts'
import { isPostgres } from '../support/database/database.ts'
import { openNode, openTestDatabase } from '../support/database/open-database.ts'
import { createTestClock } from '../support/fakes/test-clock.ts'
import { gate } from '../support/worker-rig.ts'

const WINDOW = instant(1_800_000_000_000)
const add = async (db: Database, address: string, count: number, window: Instant = WINDOW) =>
  (await db.transact((tx) => addToRateCounters(tx, [{ address, count }], window)))[0]?.count ?? 0

describe('rate counters', () => {
  test('add up per address and window, and return the sum', async () => {
    const { db } = await openTestDatabase()
    expect(await add(db, 'a', 3)).toBe(3)
    expect(await add(db, 'a', 4)).toBe(7)
    expect(await add(db, 'b', 1)).toBe(1)
    expect(await add(db, 'a', 1, instant(WINDOW + 60_000))).toBe(1)
  })

  test.each([2, 3, 127, 128, 300])('add %i addresses in one statement, each with its own sum', async (many) => {
    const { db } = await openTestDatabase()
    const counted = Array.from({ length: many }, (_, i) => ({ address: `address ${i}`, count: i + 1 }))
    const addAll = () => db.transact((tx) => addToRateCounters(tx, counted, WINDOW))
    await addAll()
    const sums = new Map((await addAll()).map(({ address, count }) => [address, count]))
    expect(sums).toEqual(new Map(counted.map(({ address, count }) => [address, 2 * count])))
  })

  test('lose no count when nodes add concurrently', async () => {
    const { db, database } = await openTestDatabase()
    const nodes = isPostgres() ? [db, await openNode(database)] : [db]
    const sums = await Promise.all(Array.from({ length: 100 }, (_, i) => add(nodes[i % nodes.length] ?? db, 'a', 1)))
    expect(Math.max(...sums)).toBe(100)
    expect(new Set(sums).size).toBe(100)
  })

  test('are deleted when their window has ended', async () => {
    const { db } = await openTestDatabase()
    await add(db, 'old', 1, instant(WINDOW - 1))
    await add(db, 'current', 1)
    expect(await db.transact((tx) => deleteRateCountersBefore(tx, WINDOW))).toBe(1)
    expect(await db.read.all(sql`select address from rate_counters`)).toEqual([{ address: 'current' }])
  })
})

describe('R43 the limiter', () => {
  const LIMIT = 10
  const takeMany = (limiter: RateLimiter, count: number, address = '192.0.2.1') =>
    Array.from({ length: count }, () => limiter.take('default', address, LIMIT).allowed).filter(Boolean).length

  async function twoNodes() {
    const { db, database } = await openTestDatabase()
    const clock = createTestClock()
    const other = isPostgres() ? await openNode(database) : db
    return { clock, here: createRateLimiter(clock, db), there: createRateLimiter(clock, other) }
  }

  test('counts requests of another node once both have shared', async () => {
    const { here, there } = await twoNodes()
    expect(takeMany(here, 6)).toBe(6)
    expect(takeMany(there, 3)).toBe(3)
    await here.share()
    await there.share()
    expect(takeMany(there, 5)).toBe(1)
  })

  test('starts at zero in the next window, and sharing does not bring back old counts', async () => {
    const { clock, here, there } = await twoNodes()
    expect(takeMany(here, LIMIT + 5)).toBe(LIMIT)
    await here.share()
    clock.advanceSeconds(60)
    expect(takeMany(there, 1)).toBe(1)
    await there.share()
    expect(takeMany(there, LIMIT)).toBe(LIMIT - 1)
  })

  test('counts that could not be shared are shared the next time', async () => {
    const { db } = await openTestDatabase()
    let isBroken = true
    const flaky: Database = {
      ...db,
      transact: (work) => (isBroken ? Promise.reject(new Error('away')) : db.transact(work)),
    }
    const clock = createTestClock()
    const here = createRateLimiter(clock, flaky)
    const there = createRateLimiter(clock, db)
    takeMany(here, 3)
    await expect(here.share()).rejects.toThrow('away')
    isBroken = false
    await here.share()
    takeMany(there, 1)
    await there.share()
    expect(there.take('default', '192.0.2.1', LIMIT).remaining).toBe(LIMIT - 5)
  })

  test('C5 a slow share() counts nothing twice when the next one starts before it ends', async () => {
    const { db } = await openTestDatabase()
    const { open, opened } = gate()
    const slow: Database = { ...db, transact: (work) => opened.then(() => db.transact(work)) }
    const clock = createTestClock()
    const here = createRateLimiter(clock, slow)
    const there = createRateLimiter(clock, db)
    takeMany(here, 3)
    const sharing = [here.share(), here.share()]
    takeMany(here, 1)
    sharing.push(here.share(), here.share())
    open()
    await Promise.all(sharing)
    takeMany(there, 1)
    await there.share()
    expect(there.take('default', '192.0.2.1', LIMIT).remaining).toBe(LIMIT - 6)
    expect(here.take('default', '192.0.2.1', LIMIT).remaining).toBe(LIMIT - 5)
  })

  test('shares at most 2,000 addresses at a time', async () => {
    const { db } = await openTestDatabase()
    const here = createRateLimiter(createTestClock(), db)
    for (let i = 0; i < 3000; i++) here.take('default', `192.0.2.${i}`, LIMIT)
    const shared = async () => (await db.read.all(sql`select address from rate_counters`)).length
    await here.share()
    expect(await shared()).toBe(2000)
    await here.share()
    expect(await shared()).toBe(3000)
  })

  test('R06 no window lasts more than a minute when the clock jumps', async () => {
    const { clock, here } = await twoNodes()
    for (const seconds of [3600, -7200, 10 * 365 * 86_400, -86_400]) {
      expect(takeMany(here, LIMIT + 5)).toBe(LIMIT)
      const { resetSeconds } = here.take('default', '192.0.2.1', LIMIT)
      expect(resetSeconds).toBeLessThanOrEqual(60)
      clock.set(instant(clock.now() + seconds * 1000))
    }
  })

  test.skipIf(isPostgres())('takes less than 50 MB: it forgets addresses beyond that', async () => {
    const { here } = await twoNodes()
    const before = heapBytes()
    for (let i = 0; i < 400_000; i++) here.take('default', `2001:db8:${i >> 8}:${i & 255}::/64`, LIMIT)
    expect(heapBytes() - before).toBeLessThan(50 * 1024 * 1024)
    // It still limits the addresses it remembers.
    expect(takeMany(here, LIMIT + 5)).toBe(LIMIT)
  })
})

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
