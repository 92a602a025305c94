// Several workers on one database: each job runs once, and only the node with the current claim can settle it.
import { describe, expect, test } from 'vitest'
import { plusSeconds } from '../../src/domain/instant.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { enqueueJob, LEASE_SECONDS, postponeJob } from '../../src/store/jobs.ts'
import { isPostgres } from '../support/database/database.ts'
import { openNode, openTestDatabase } from '../support/database/open-database.ts'
import { eventually } from '../support/eventually.ts'
import { createTestClock } from '../support/fakes/test-clock.ts'
import { DONE, enqueue, gate, kinds, PROBE, probe, type Run, startAndSettle, startNode } from '../support/worker-rig.ts'

describe('several nodes', () => {
  // On SQLite both workers share one process: the tests are about claims, not about connections.
  async function startTwo(run: Run, isFirstStalled = false) {
    const { db, database } = await openTestDatabase()
    const clock = createTestClock()
    const other = isPostgres() ? await openNode(database) : db
    return { clock, first: startNode(db, clock, run, isFirstStalled), second: startNode(other, clock, run) }
  }

  test('R15 each of a thousand jobs runs once, and neither node does less than a quarter', async () => {
    const { clock, first, second } = await startTwo(async () => DONE)
    await first.db.transact(async (tx) => {
      for (let i = 0; i < 1000; i++) await enqueueJob(tx, { ...probe(), runAt: clock.now() })
    })
    first.worker.start()
    second.worker.start()
    const ran = () => [...first.ran, ...second.ran].map(({ id }) => id)
    await eventually(() => expect(ran().length).toBeGreaterThanOrEqual(1000))
    await Promise.all([first.worker.stop(), second.worker.stop()])
    expect(ran()).toHaveLength(1000)
    expect(new Set(ran()).size).toBe(1000)
    expect(Math.min(first.ran.length, second.ran.length)).toBeGreaterThan(250)
    expect(await kinds(first.db)).not.toContain(PROBE)
  })

  test('R17 a node whose clock is wrong claims nothing, and the other one runs the job', async () => {
    const { clock, first, second } = await startTwo(async () => DONE)
    await enqueue(first.db, clock)
    first.isClockRight = false
    expect(await first.worker.runDue()).toBe(0)
    await second.worker.runDue()
    expect([first.ran, second.ran]).toMatchObject([[], [{ kind: PROBE }]])
  })

  test('R17 a node that was paused beyond its lease cannot settle the job', async () => {
    const stalled = gate()
    const taken = gate()
    const { clock, first, second } = await startTwo(async ({ attempt }) => {
      await (attempt === 1 ? stalled : taken).opened
      return attempt === 1 ? DONE : { again: plusSeconds(clock.now(), 60) }
    }, true)
    await enqueue(first.db, clock)
    const firstRuns = first.worker.runDue()
    await eventually(() => expect(first.ran).toHaveLength(1))
    clock.advanceSeconds(LEASE_SECONDS)
    const secondRuns = second.worker.runDue()
    await eventually(() => expect(second.ran).toMatchObject([{ attempt: 2 }]))
    stalled.open()
    await firstRuns
    expect(await kinds(first.db)).toEqual([PROBE])
    taken.open()
    await secondRuns
    clock.advanceSeconds(60)
    expect(await second.worker.runDue()).toBe(1)
    expect(second.ran.map(({ attempt }) => attempt)).toEqual([2, 3])
  })

  test('a running job keeps its lease: no other node can claim it', async () => {
    const { open, opened } = gate()
    const { clock, first, second } = await startTwo(() => opened.then(() => DONE))
    await enqueue(first.db, clock)
    const running = first.worker.runDue()
    await eventually(() => expect(first.ran).toHaveLength(1))
    // In small steps, because the timer of the next renewal is set only after the last one has ended.
    for (let second = 0; second < 4 * LEASE_SECONDS; second += 1) {
      clock.advanceSeconds(1)
      await eventually(async () => expect(await leaseEnd(first.db)).toBeGreaterThan(clock.now()))
    }
    expect(await second.worker.runDue()).toBe(0)
    open()
    await running
    expect(await kinds(first.db)).toEqual([])
    expect([first.ran.length, second.ran.length]).toEqual([1, 0])
  })

  test('renewing a lease does not shorten the postponement of a job that postponed itself', async () => {
    const { open, opened } = gate()
    const { clock, first } = await startTwo(async (job) => {
      await first.db.transact((tx) => postponeJob(tx, job, plusSeconds(clock.now(), 3600)))
      await opened
      return DONE
    })
    await enqueue(first.db, clock)
    const running = first.worker.runDue()
    await eventually(() => expect(first.ran).toHaveLength(1))
    const end = plusSeconds(clock.now(), 3600)
    await eventually(async () => expect(await leaseEnd(first.db)).toBe(end))
    clock.advanceSeconds(30)
    await first.db.transact(async () => {})
    expect(await leaseEnd(first.db)).toBe(end)
    open()
    await running
  })

  test('a node does not run a job twice when its lease expires while it runs, and can still settle it', async () => {
    const { open, opened } = gate()
    const { clock, first } = await startTwo(() => opened.then(() => DONE), true)
    // Housekeeping would lose its lease too.
    await startAndSettle(first)
    await enqueue(first.db, clock)
    await eventually(() => expect(first.ran).toHaveLength(1))
    clock.advanceSeconds(LEASE_SECONDS + 1)
    await eventually(async () => expect(await leaseEnd(first.db)).toBe(plusSeconds(clock.now(), LEASE_SECONDS)))
    expect(first.ran).toHaveLength(1)
    open()
    await eventually(async () => expect(await kinds(first.db)).toEqual([]))
    expect(first.ran).toHaveLength(1)
  })

  test.skipIf(!isPostgres())('a job enqueued on one node wakes the worker of the other without a poll', async () => {
    const { clock, first, second } = await startTwo(async () => DONE)
    await startAndSettle(second)
    await enqueue(first.db, clock)
    await eventually(() => expect(second.ran).toHaveLength(1))
  })
})

async function leaseEnd(db: Database): Promise<number | undefined> {
  return (await db.read.first<{ run_at: number }>(sql`select run_at from jobs where kind = ${PROBE}`))?.run_at
}
