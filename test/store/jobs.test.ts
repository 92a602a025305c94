// The jobs table: jobs are enqueued with the change, coalesced by key, claimed once, and fenced by the attempt number.
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import type { EmailId } from '../../src/domain/emails/email.ts'
import { type Instant, instant, plusSeconds } from '../../src/domain/instant.ts'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import type { WidgetId } from '../../src/domain/widgets/widget.ts'
import type { Database, Writer } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import {
  countDueJobs,
  deleteJob,
  enqueueClaimedJob,
  enqueueJob,
  findOldestTimes,
  type Job,
  LEASE_SECONDS,
  listFirstRunAts,
  listOldestAccepted,
  type NewJob,
  postponeJob,
  unclaimJobs,
} from '../../src/store/jobs.ts'
import { claimAnyJobs } from '../support/database/claim-jobs.ts'
import { isPostgres } from '../support/database/database.ts'
import { untilLockWaits } from '../support/database/lock-waits.ts'
import { openNode, openTestDatabase } from '../support/database/open-database.ts'

const NOW = instant(1_800_000_000_000)
const LEASE_END = plusSeconds(NOW, LEASE_SECONDS)
const userId = 'user' as UserId
const reload: NewJob<'reload-widget'> = {
  kind: 'reload-widget',
  key: 'widget:1',
  payload: { userId, widgetId: '1' as WidgetId },
  runAt: NOW,
}

const enqueue = (db: Database, job: Partial<NewJob<'reload-widget'>> = {}) =>
  db.transact((tx) => enqueueJob(tx, { ...reload, ...job }))
const claim = (db: Database, now: Instant = NOW, limit = 100) => db.transact((tx) => claimAnyJobs(tx, limit, now))

async function claimOne(db: Database, now: Instant = NOW): Promise<Job> {
  const [job] = await claim(db, now, 1)
  if (!job) throw new Error('nothing to claim')
  return job
}

const enqueueMany = (db: Database, count: number) =>
  db.transact(async (tx) => {
    for (let i = 0; i < count; i++)
      await enqueueJob(tx, { kind: 'send-email', payload: { userId, emailId: i as EmailId }, runAt: NOW })
  })

async function countJobs(db: Database): Promise<number> {
  return (await db.read.first<{ count: number }>(sql`select count(*) as count from jobs`))?.count ?? 0
}

const nextRunAt = async (db: Database) => (await findOldestTimes(db.read)).runAt

// A transaction that stays open until end() is called.
async function held(db: Database, work: (tx: Writer) => Promise<unknown>) {
  let finish = () => {}
  const mayEnd = new Promise<void>((resolve) => (finish = resolve))
  let done: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    done = db.transact(async (tx) => {
      await work(tx)
      // Statements run in order: once this one is answered, `work` has been executed too.
      await tx.first(sql`select 1 as one`)
      // Resolves outside of the transaction, where the test may use the database.
      setImmediate(resolve)
      await mayEnd
    })
    done.catch(reject)
  })
  return {
    async end() {
      finish()
      await done
    },
  }
}

describe('enqueue', () => {
  test('is rolled back with the change, and stored when the change is committed', async () => {
    const { db } = await openTestDatabase()
    const failing = db.transact(async (tx) => {
      await enqueueJob(tx, reload)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await claim(db)).toEqual([])
    await enqueue(db)
    expect(await claim(db)).toMatchObject([{ kind: 'reload-widget', payload: { widgetId: '1' }, attempt: 1 }])
  })

  test('coalesces with the waiting job of the same key, at the earlier of the two times', async () => {
    const { db } = await openTestDatabase()
    await enqueue(db, { runAt: plusSeconds(NOW, 20) })
    await enqueue(db, { runAt: plusSeconds(NOW, 10) })
    await enqueue(db, { runAt: plusSeconds(NOW, 30) })
    await enqueue(db, { key: 'widget:2', runAt: plusSeconds(NOW, 40) })
    expect(await countJobs(db)).toBe(2)
    expect(await nextRunAt(db)).toBe(plusSeconds(NOW, 10))
  })

  test('does not coalesce jobs without a key', async () => {
    const { db } = await openTestDatabase()
    await enqueue(db, { key: undefined })
    await enqueue(db, { key: undefined })
    expect(await countJobs(db)).toBe(2)
  })

  test('does not coalesce with a claimed job: a job of the same key is a new job', async () => {
    const { db } = await openTestDatabase()
    await enqueue(db)
    const first = await claimOne(db)
    await enqueue(db)
    const second = await claimOne(db)
    expect(second.id).not.toBe(first.id)
    expect(second.attempt).toBe(1)
  })

  test('of a claimed job: no other node can claim it before the lease expires', async () => {
    const { db } = await openTestDatabase()
    const email = { kind: 'send-email', payload: { userId, emailId: 1 as EmailId } } as const
    const mine = await db.transact((tx) => enqueueClaimedJob(tx, email, NOW))
    expect(mine).toMatchObject({ ...email, attempt: 1 })
    expect(await claim(db, instant(LEASE_END - 1))).toEqual([])
    expect(await claim(db, LEASE_END)).toEqual([{ ...mine, attempt: 2, failures: 2 }])
  })

  test('stores a time a year ahead exactly', async () => {
    const { db } = await openTestDatabase()
    const nextYear = plusSeconds(NOW, 365 * 86_400)
    await enqueue(db, { runAt: nextYear })
    expect(await claim(db, instant(nextYear - 1))).toEqual([])
    expect(await nextRunAt(db)).toBe(nextYear)
    expect(await claim(db, nextYear)).toHaveLength(1)
  })
})

describe('claim', () => {
  test('takes due jobs, the longest due first, and no more than the limit', async () => {
    const { db } = await openTestDatabase()
    for (const seconds of [3, 1, 2, 4]) {
      const payload = { ...reload.payload, widgetId: String(seconds) as WidgetId }
      await enqueue(db, { key: undefined, payload, runAt: plusSeconds(NOW, seconds) })
    }
    const widgets = async (limit: number) =>
      (await claim(db, plusSeconds(NOW, 3), limit)).map(({ payload }) => 'widgetId' in payload && payload.widgetId)
    expect((await widgets(2)).toSorted()).toEqual(['1', '2'])
    expect(await widgets(2)).toEqual(['3'])
    expect(await widgets(2)).toEqual([])
  })

  test('takes no more than the limit even when the planner believes the table to be empty', async () => {
    const { db } = await openTestDatabase()
    await enqueueMany(db, 1)
    await db.transact((tx) => tx.execute(sql`analyze jobs`))
    await enqueueMany(db, 50)
    expect(await claim(db, NOW, 1)).toHaveLength(1)
    expect(await claim(db, NOW, 10)).toHaveLength(10)
  })

  test('R15 each of 4,000 due jobs is claimed once by concurrent claims', async () => {
    const { db, database } = await openTestDatabase()
    await enqueueMany(db, 4000)
    const nodes = isPostgres() ? [db, await openNode(database)] : [db]
    const claimed: number[] = []
    const drain = async (node: Database) => {
      for (let jobs = await claim(node); jobs.length > 0; jobs = await claim(node)) {
        claimed.push(...jobs.map(({ id }) => id))
      }
    }
    await Promise.all(Array.from({ length: 10 }, () => nodes.map(drain)).flat())
    expect(claimed).toHaveLength(4000)
    expect(new Set(claimed).size).toBe(4000)
  })

  test('R16 jobs claimed by a dead node can be claimed by others when the lease expires, not before', async () => {
    const { db } = await openTestDatabase()
    await enqueue(db)
    const lost = await claimOne(db)
    expect(await claim(db, instant(LEASE_END - 1))).toEqual([])
    expect(await nextRunAt(db)).toBe(LEASE_END)
    expect(await claim(db, LEASE_END)).toEqual([{ ...lost, attempt: 2, failures: 2 }])
  })
})

test('a due job of a kind that this version does not know is never claimable, and is not lost', async () => {
  const { db } = await openTestDatabase()
  await db.transact((tx) =>
    tx.execute(sql`insert into jobs (kind, payload, run_at, attempt) values ('of-tomorrow', '{}', ${NOW}, 0)`),
  )
  await enqueue(db)
  expect(await listFirstRunAts(db.read)).toEqual([{ kind: 'reload-widget', runAt: NOW }])
  expect(await claim(db)).toHaveLength(1)
  expect(await countJobs(db)).toBe(2)
  expect(await nextRunAt(db)).toBe(NOW)
})

describe('R17 a claim whose lease has expired', () => {
  async function expiredClaim() {
    const { db } = await openTestDatabase()
    await enqueue(db)
    return { db, old: await claimOne(db), current: await claimOne(db, LEASE_END) }
  }

  test('can neither delete nor postpone the job, which stays with the node that claimed it next', async () => {
    const { db, old, current } = await expiredClaim()
    expect(await db.transact((tx) => deleteJob(tx, old))).toBe(false)
    expect(await db.transact((tx) => postponeJob(tx, old, NOW))).toBe(false)
    expect(await nextRunAt(db)).toBe(plusSeconds(LEASE_END, LEASE_SECONDS))
    expect(await db.transact((tx) => deleteJob(tx, current))).toBe(true)
    expect(await countJobs(db)).toBe(0)
  })

  test('cannot bring back a job that the next node has finished', async () => {
    const { db, old, current } = await expiredClaim()
    await db.transact((tx) => deleteJob(tx, current))
    expect(await db.transact((tx) => postponeJob(tx, old, NOW))).toBe(false)
    expect(await claim(db, plusSeconds(NOW, 3600))).toEqual([])
  })
})

describe('failures in a row', () => {
  // Claims the job at its time; `end` says how the run ends. Returns the failures that the claim reports, and the lease.
  async function claimNext(db: Database, end: 'failure' | 'success' | 'neither' | 'dies') {
    const now = (await nextRunAt(db)) ?? NOW
    const job = await claimOne(db, now)
    const leaseSeconds = (((await nextRunAt(db)) ?? now) - now) / 1000
    if (end !== 'dies') await db.transact((tx) => postponeJob(tx, job, plusSeconds(now, 1), { countsAs: end }))
    return [job.failures, leaseSeconds]
  }

  test('are counted by claims, and set to 0 by a run that succeeds; one that tries nothing does not count', async () => {
    const { db } = await openTestDatabase()
    await enqueue(db)
    const claims = []
    for (const end of ['success', 'failure', 'neither', 'dies', 'success', 'failure'] as const)
      claims.push(await claimNext(db, end))
    expect(claims.map(([failures]) => failures)).toEqual([1, 1, 2, 2, 3, 1])
    // The number of the claim goes on.
    expect(await claimOne(db, await nextRunAt(db))).toMatchObject({ attempt: 7, failures: 2 })
  })

  test('a job that may be what kills its nodes is claimed once a minute from its sixth claim on', async () => {
    const { db } = await openTestDatabase()
    await enqueue(db)
    const leases = []
    for (let claims = 0; claims < 8; claims++) leases.push((await claimNext(db, 'dies'))[1])
    expect(leases).toEqual([15, 15, 15, 15, 15, 60, 60, 60])
    await claimNext(db, 'success')
    expect(await claimNext(db, 'dies')).toEqual([1, 15])
  })

  test('a claim that is released before its run does not count', async () => {
    const { db } = await openTestDatabase()
    await enqueue(db)
    const job = await claimOne(db)
    await db.transact((tx) => unclaimJobs(tx, [job], NOW))
    expect(await claimOne(db)).toEqual(job)
  })
})

test('a change that goes to many members is as old as its acceptance, however often its job runs', async () => {
  const { db } = await openTestDatabase()
  const payload = { userId, notificationId: 1 as NotificationId }
  await db.transact((tx) => enqueueJob(tx, { kind: 'recall-notification', payload, runAt: NOW }))
  await enqueue(db, { runAt: plusSeconds(NOW, -100) })
  const oldest = async () => [await listOldestAccepted(db.read), (await findOldestTimes(db.read)).acceptedAt]
  const expected = [[{ kind: 'recall-notification', acceptedAt: NOW }], NOW]
  expect(await oldest()).toEqual(expected)
  const jobs = await claim(db)
  const recall = jobs.find(({ kind }) => kind === 'recall-notification') as Job
  expect(await oldest()).toEqual(expected)
  await db.transact((tx) => postponeJob(tx, recall, plusSeconds(NOW, 3600), { countsAs: 'success' }))
  expect(await oldest()).toEqual(expected)
  await db.transact((tx) => deleteJob(tx, recall))
  expect(await oldest()).toEqual([[], undefined])
})

test('a postponed job runs at its new time, with the next attempt number', async () => {
  const { db } = await openTestDatabase()
  await enqueue(db)
  const job = await claimOne(db)
  const later = plusSeconds(NOW, 60)
  expect(await db.transact((tx) => postponeJob(tx, job, later))).toBe(true)
  expect(await claim(db, instant(later - 1))).toEqual([])
  expect(await claim(db, later)).toEqual([{ ...job, attempt: 2, failures: 2 }])
})

describe.skipIf(!isPostgres())('a change and a claim of the same job at the same time', () => {
  test('a job that an uncommitted change has coalesced with is not claimed before that change is committed', async () => {
    const { db, database } = await openTestDatabase()
    const other = await openNode(database)
    await enqueue(db)
    const change = await held(db, (tx) => enqueueJob(tx, reload))
    expect(await claim(other)).toEqual([])
    await change.end()
    expect(await claim(other)).toHaveLength(1)
    expect(await countJobs(db)).toBe(1)
  })

  test('a change that meets an uncommitted claim enqueues a new job once the claim is committed', async () => {
    const { db, database } = await openTestDatabase()
    const other = await openNode(database)
    await enqueue(db)
    const claiming = await held(other, (tx) => claimAnyJobs(tx, 1, NOW))
    const change = enqueue(db)
    await untilLockWaits(other, 1)
    await claiming.end()
    await change
    expect(await countJobs(db)).toBe(2)
    expect(await claim(db)).toHaveLength(1)
  })
})

test('due jobs are counted up to a bound, without those that are claimed or due later', async () => {
  const { db } = await openTestDatabase()
  await enqueueMany(db, 5)
  await enqueue(db, { runAt: plusSeconds(NOW, 60) })
  const later = plusSeconds(NOW, 10)
  expect(await countDueJobs(db.read, 'send-email', later, 3)).toBe(3)
  expect(await countDueJobs(db.read, 'send-email', later, 100)).toBe(5)
  expect(await countDueJobs(db.read, 'reload-widget', later, 100)).toBe(0)
  await claim(db, NOW)
  expect(await countDueJobs(db.read, 'send-email', later, 100)).toBe(0)
})
