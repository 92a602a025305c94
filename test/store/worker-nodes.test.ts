// Several workers on one database: each job is run once, and by whoever holds it now.
import { describe, expect, test } from 'vitest'
import { plusSeconds } from '../../src/domain/instant.ts'
import { enqueueJob, LEASE_SECONDS } from '../../src/store/jobs.ts'
import { isPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { openNode, openTestDatabase } from '../support/open-database.ts'
import { createTestClock } from '../support/test-clock.ts'
import { DONE, enqueue, gate, kinds, type Run, startAndSettle, startNode } from '../support/worker-rig.ts'

describe('several nodes', () => {
  // On SQLite one process stands for both: what is tested is who may settle a job, not the connection.
  async function startTwo(run: Run) {
    const { db, database } = await openTestDatabase()
    const clock = createTestClock()
    const other = isPostgres() ? await openNode(database) : db
    return { clock, first: startNode(db, clock, run), second: startNode(other, clock, run) }
  }

  test('R15 each of 4,000 jobs runs once, and neither node does less than a quarter', async () => {
    const { clock, first, second } = await startTwo(async () => DONE)
    await first.db.transact(async (tx) => {
      for (let i = 0; i < 4000; i++) await enqueueJob(tx, { kind: 'probe', payload: {}, runAt: clock.now() })
    })
    first.worker.start()
    second.worker.start()
    const ran = () => [...first.ran, ...second.ran].map(({ id }) => id)
    await eventually(() => expect(ran().length).toBeGreaterThanOrEqual(4000))
    await Promise.all([first.worker.stop(), second.worker.stop()])
    expect(ran()).toHaveLength(4000)
    expect(new Set(ran()).size).toBe(4000)
    expect(Math.min(first.ran.length, second.ran.length)).toBeGreaterThan(1000)
    expect(await kinds(first.db)).not.toContain('probe')
  }, 60_000)

  test('R17 a node that stood still past its lease changes nothing when it goes on', async () => {
    const stalled = gate()
    const taken = gate()
    const { clock, first, second } = await startTwo(async ({ attempt }) => {
      await (attempt === 1 ? stalled : taken).opened
      return attempt === 1 ? DONE : { again: plusSeconds(clock.now(), 60) }
    })
    await enqueue(first.db, clock)
    const firstRuns = first.worker.runDue()
    await eventually(() => expect(first.ran).toHaveLength(1))
    clock.advanceSeconds(LEASE_SECONDS)
    const secondRuns = second.worker.runDue()
    await eventually(() => expect(second.ran).toMatchObject([{ attempt: 2 }]))
    stalled.open()
    await firstRuns
    expect(await kinds(first.db)).toEqual(['probe'])
    taken.open()
    await secondRuns
    clock.advanceSeconds(60)
    expect(await second.worker.runDue()).toBe(1)
    expect(second.ran.map(({ attempt }) => attempt)).toEqual([2, 3])
  })

  test.skipIf(!isPostgres())('a job enqueued on one wakes the other, though the clock stands still', async () => {
    const { clock, first, second } = await startTwo(async () => DONE)
    await startAndSettle(second)
    await enqueue(first.db, clock)
    await eventually(() => expect(second.ran).toHaveLength(1))
  })
})
