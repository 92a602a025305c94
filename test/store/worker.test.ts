// The worker on a real database with a clock that the test moves: what wakes it, what it runs, and how it stops.
import { describe, expect, test } from 'vitest'
import { instant, plusSeconds } from '../../src/domain/instant.ts'
import { JOB_RETRY_SECONDS, type Jobs } from '../../src/domain/jobs.ts'
import type { Writer } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { enqueueClaimedJob, enqueueJob, type Job } from '../../src/store/jobs.ts'
import { eventually } from '../support/eventually.ts'
import {
  asleep,
  asTimePasses,
  DONE,
  enqueue,
  gate,
  kinds,
  outcomes,
  POLL_SECONDS,
  PROBE,
  probe,
  SHARED,
  shared,
  startAlone,
  startAndSettle,
} from '../support/worker-rig.ts'

const FAR = instant(Date.UTC(2999, 0, 1))

describe('wake-up', () => {
  test('a job runs as soon as its change is committed, without a poll', async () => {
    const node = await startAlone()
    await startAndSettle(node)
    await enqueue(node.db, node.clock)
    await eventually(() => expect(node.ran).toHaveLength(1))
    await eventually(async () => expect(await kinds(node.db)).toEqual([]))
  })

  test('a job runs at its time, to the millisecond, without polling in between', async () => {
    const node = await startAlone()
    await startAndSettle(node)
    await enqueue(node.db, node.clock, { runAt: plusSeconds(node.clock.now(), 0.7) })
    await eventually(() => expect(node.sleepsMs.at(-1)).toBe(700))
    node.clock.advanceSeconds(0.699)
    await enqueue(node.db, node.clock, { key: 'nudge', runAt: plusSeconds(node.clock.now(), 600) })
    await eventually(() => expect(node.sleepsMs.at(-1)).toBe(1))
    expect(node.ran).toEqual([])
    await asTimePasses(node.clock, 0.001, () => expect(node.ran).toHaveLength(1))
  })

  test('R19 a job whose signal was lost is found by the poll', async () => {
    const node = await startAlone()
    await startAndSettle(node)
    await node.db.transact((tx) =>
      tx.execute(
        sql`insert into jobs (kind, payload, run_at, attempt) values (${PROBE}, '{}', ${node.clock.now()}, 0)`,
      ),
    )
    await asTimePasses(node.clock, POLL_SECONDS, () => expect(node.ran).toHaveLength(1))
  })

  test('a failed claim is retried at the next poll', async () => {
    const node = await startAlone()
    await startAndSettle(node)
    await node.db.transact((tx) => tx.execute(sql`alter table jobs rename to jobs_away`))
    await asTimePasses(node.clock, POLL_SECONDS, () => expect(node.logged.join()).toContain('cannot claim jobs'))
    await node.db.transact((tx) => tx.execute(sql`alter table jobs_away rename to jobs`))
    await enqueue(node.db, node.clock)
    await asTimePasses(node.clock, POLL_SECONDS, () => expect(node.ran).toHaveLength(1))
  })

  test('due jobs beyond the free slots do not make the worker poll in a tight loop', async () => {
    const { open, opened } = gate()
    const node = await startAlone(() => opened.then(() => DONE))
    await startAndSettle(node)
    await node.db.transact(async (tx) => {
      for (let i = 0; i < 450; i++) await enqueueJob(tx, { ...probe(), runAt: node.clock.now() })
    })
    await eventually(() => expect(node.ran).toHaveLength(400))
    const before = node.sleepsMs.length
    await enqueue(node.db, node.clock)
    await eventually(() => expect(node.sleepsMs.length).toBeGreaterThan(before))
    expect(node.sleepsMs.at(-1)).toBeGreaterThan(0)
    open()
    await eventually(() => expect(node.ran).toHaveLength(451))
  })

  test('jobs of one kind that hang do not delay jobs of other kinds', async () => {
    const { open, opened } = gate()
    const node = await startAlone(() => opened.then(() => DONE))
    await startAndSettle(node)
    await node.db.transact(async (tx) => {
      for (let i = 0; i < 600; i++) await enqueueJob(tx, { ...probe(), runAt: node.clock.now() })
    })
    await eventually(() => expect(node.ran).toHaveLength(400))
    await enqueue(node.db, node.clock, { kind: 'housekeeping' })
    await eventually(async () => expect(await kinds(node.db)).not.toContain('housekeeping'))
    open()
    await eventually(() => expect(node.ran).toHaveLength(600))
  })
})

describe('slots', () => {
  const hanging = (account: string) => probe({ userId: account })
  const hangingFor = (account: string, opened: Promise<void>) => async (job: Job) => {
    if (accountOf(job) === account) await opened
    return DONE
  }
  const accountOf = ({ payload }: Job): string | undefined => payload.userId

  test('an account whose jobs hang leaves slots of that kind to other accounts, and its own jobs run in the end', async () => {
    const { open, opened } = gate()
    const node = await startAlone(hangingFor('hog', opened))
    await startAndSettle(node)
    await node.db.transact(async (tx) => {
      for (let i = 0; i < 600; i++) {
        await enqueueJob(tx, { runAt: node.clock.now(), ...hanging('hog') })
      }
    })
    await eventually(() => expect(node.ran).toHaveLength(200))
    await enqueue(node.db, node.clock, hanging('neighbour'))
    await eventually(() => expect(node.ran.map(accountOf)).toContain('neighbour'))
    open()
    await asTimePasses(node.clock, POLL_SECONDS, () => expect(node.ran).toHaveLength(601))
    expect(new Set(node.ran.map(({ id }) => id)).size).toBe(601)
    expect(new Set(node.ran.map(({ attempt }) => attempt))).toEqual(new Set([1]))
  })

  const enqueueNow = (node: Awaited<ReturnType<typeof startAlone>>, account: string, count: number) =>
    node.db.transact((tx) =>
      Promise.all(
        Array.from({ length: count }, async () => ({
          job: await enqueueClaimedJob(tx, hanging(account), node.clock.now()),
        })),
      ),
    )

  test('jobs that a request waits for are bounded per account; the rest stay open for the workers', async () => {
    const { open, opened } = gate()
    const node = await startAlone(hangingFor('hog', opened))
    const first = node.worker.runNow(await enqueueNow(node, 'hog', 700), 3000)
    await eventually(() => expect(node.ran).toHaveLength(500))
    const [outcome] = await node.worker.runNow(await enqueueNow(node, 'neighbour', 1), 3000)
    expect(outcome).toBe('refused')
    open()
    expect((await first).filter((one) => one === 'open')).toHaveLength(200)
    await eventually(async () => expect(await kinds(node.db)).toHaveLength(200))
    expect(await node.worker.runDue()).toBe(200)
    expect(new Set(node.ran.map(({ attempt }) => attempt))).toEqual(new Set([1]))
    expect(node.ran).toHaveLength(701)
  })
})

describe('a job that does not succeed', () => {
  test('is retried by its schedule, then dropped and logged', async () => {
    const node = await startAlone(async () => {
      throw new Error('no way')
    })
    await enqueue(node.db, node.clock, probe({ step: 1 }))
    const runsAfter = async (seconds: number) => {
      node.clock.advanceSeconds(seconds)
      return node.worker.runDue()
    }
    expect(await runsAfter(0)).toBe(1)
    for (const seconds of JOB_RETRY_SECONDS[PROBE]) {
      expect([await runsAfter(seconds - 1), await runsAfter(1)]).toEqual([0, 1])
    }
    expect(await runsAfter(86_400)).toBe(0)
    expect(node.ran.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(node.givenUp).toEqual([{ step: 1 }])
    expect(outcomes(node)).toEqual(['failed', 'failed', 'given_up'])
    expect(await kinds(node.db)).toEqual([])
  })

  test('may ask to run again later, which is not a failure', async () => {
    const node = await startAlone(async ({ attempt }) =>
      attempt === 1 ? { again: plusSeconds(node.clock.now(), 60) } : DONE,
    )
    await enqueue(node.db, node.clock)
    expect(await node.worker.runDue()).toBe(1)
    node.clock.advanceSeconds(60)
    expect(await node.worker.runDue()).toBe(1)
    expect(outcomes(node)).toEqual(['again', 'done'])
    expect(await kinds(node.db)).toEqual([])
  })

  test('of an unknown kind is left for a newer version', async () => {
    const node = await startAlone()
    await node.db.transact((tx) =>
      tx.execute(sql`insert into jobs (kind, payload, run_at, attempt)
        values ('of-tomorrow', '{"precious":true}', ${node.clock.now()}, 0)`),
    )
    await startAndSettle(node)
    expect(await node.db.read.all(sql`select kind, attempt from jobs`)).toEqual([{ kind: 'of-tomorrow', attempt: 0 }])
  })

  test('does not affect other jobs', async () => {
    const node = await startAlone(async ({ payload }) => {
      if ('bad' in payload) throw new Error('bad')
      return DONE
    })
    for (const members of [{}, { bad: true }, {}]) await enqueue(node.db, node.clock, probe(members))
    await node.worker.runDue()
    expect(outcomes(node).toSorted()).toEqual(['done', 'done', 'failed'])
    expect(await kinds(node.db)).toEqual([PROBE])
  })
})

describe('a job that works in steps', () => {
  const STEPS = 50
  const FAN_OUT = { kind: 'spread-notification', payload: {} as Jobs['spread-notification'] } as const

  // Runs a job of 50 steps at every tick of so many seconds; `fails` says whether a run of a step fails. Returns how often
  // each step ran.
  async function runSteps(fails: (step: number, runsBefore: number) => boolean, ticks: number, tickSeconds: number) {
    const runs = Array<number>(STEPS).fill(0)
    let step = 0
    const node = await startAlone(async () => {
      const runsBefore = runs[step] ?? 0
      runs[step] = runsBefore + 1
      if (fails(step, runsBefore)) throw new Error('a transient error')
      step += 1
      return step === STEPS ? DONE : { again: node.clock.now() }
    })
    await enqueue(node.db, node.clock, FAN_OUT)
    for (let tick = 0; tick <= ticks; tick++) {
      await node.worker.runDue()
      node.clock.advanceSeconds(tickSeconds)
    }
    return { runs, node }
  }

  test('goes on within a second after an error at any step, however many steps came before', async () => {
    const { runs } = await runSteps((step, runsBefore) => step === STEPS - 1 && runsBefore === 0, 1, 1)
    expect(runs).toEqual([...Array(STEPS - 1).fill(1), 2])
    expect((await runSteps((_, runsBefore) => runsBefore === 0, STEPS, 1)).runs).toEqual(Array(STEPS).fill(2))
  })

  test('is tried once a minute while it fails, and is never given up', async () => {
    const { runs, node } = await runSteps((step, runsBefore) => step === 1 && runsBefore < 100, 100, 60)
    expect(runs).toEqual([1, 101, ...Array(STEPS - 2).fill(1)])
    expect([node.givenUp, await kinds(node.db)]).toEqual([[], []])
  })

  test('of another kind has all its retries at every step, and none more after results that count as failures', async () => {
    const results = ['again', 'again', 'again', 'again', 'throws', 'retryAt', 'throws'] as const
    const node = await startAlone(async ({ attempt }) => {
      const result = results[attempt - 1] ?? 'throws'
      if (result === 'throws') throw new Error('no way')
      const at = node.clock.now()
      return result === 'again' ? { again: at } : { retryAt: at }
    })
    await enqueue(node.db, node.clock)
    for (const _ of results) {
      await node.worker.runDue()
      node.clock.advanceSeconds(30)
    }
    expect(node.ran.map(({ failures }) => failures)).toEqual([1, 1, 1, 1, 1, 2, 3])
    expect(outcomes(node)).toEqual(['again', 'again', 'again', 'again', 'failed', 'again', 'given_up'])
  })

  test('of another kind has all its retries however often a run has tried nothing', async () => {
    const node = await startAlone(async ({ attempt }) => {
      if (attempt % 2 === 0) throw new Error('no way')
      return { untriedUntil: node.clock.now() }
    })
    await enqueue(node.db, node.clock)
    for (let run = 0; run < 6; run++) {
      await node.worker.runDue()
      node.clock.advanceSeconds(30)
    }
    expect(node.ran.map(({ failures }) => failures)).toEqual([1, 1, 2, 2, 3, 3])
    expect(outcomes(node)).toEqual(['again', 'failed', 'again', 'failed', 'again', 'given_up'])
  })
})

describe('jobs settled in one transaction', () => {
  const enqueueShared = async ({ db, clock }: Awaited<ReturnType<typeof startAlone>>, accounts: string[]) => {
    for (const account of accounts) await enqueue(db, clock, shared(account))
  }
  const leaveTrace = async (tx: Writer, { payload }: Job) => {
    await tx.execute(sql`insert into jobs (kind, payload, run_at, attempt)
      values (${`trace of ${payload.userId}`}, '{}', ${FAR}, 0)`)
  }

  test('belong to different accounts: two jobs of one account never share a transaction', async () => {
    const transactions: Writer[] = []
    const node = await startAlone(async () => ({ ...DONE, record: async (tx) => void transactions.push(tx) }))
    await enqueueShared(node, ['a', 'b', 'c', 'a'])
    await node.worker.runDue()
    expect(transactions).toHaveLength(4)
    expect(new Set(transactions).size).toBe(2)
    expect(outcomes(node)).toEqual(['done', 'done', 'done', 'done'])
    expect(await kinds(node.db)).toEqual([])
  })

  test('a job that fails does not affect the others, and none is recorded twice', async () => {
    const node = await startAlone(async (job) => ({
      ...DONE,
      async record(tx) {
        await leaveTrace(tx, job)
        if (job.payload.userId === 'bad') throw new Error('bad')
      },
    }))
    await enqueueShared(node, ['a', 'bad', 'c'])
    await node.worker.runDue()
    expect((await kinds(node.db)).toSorted()).toEqual([SHARED, 'trace of a', 'trace of c'])
    expect(outcomes(node).toSorted()).toEqual(['done', 'done', 'failed'])
  })

  test('R17 a job whose lease has expired is not recorded, the others are', async () => {
    const after: string[] = []
    const node = await startAlone(async (job) => {
      const account = String(job.payload.userId)
      const record = (tx: Writer) => leaveTrace(tx, job)
      return { ...DONE, record, afterCommit: async () => void after.push(account) }
    })
    await enqueueShared(node, ['a', 'b'])
    const claim = node.db.transact
    node.db.transact = async (work, pace) => {
      const result = await claim(work, pace)
      node.db.transact = claim
      await claim((tx) => tx.execute(sql`update jobs set attempt = 7 where payload like '%"b"%'`))
      return result
    }
    await node.worker.runDue()
    expect((await kinds(node.db)).toSorted()).toEqual([SHARED, 'trace of a'])
    expect(after).toEqual(['a'])
  })
})

describe('the afterwards callback of a job', () => {
  test('runs once the job is settled and committed', async () => {
    const seen: string[][] = []
    const node = await startAlone(async () => ({
      ...DONE,
      afterCommit: async () => {
        seen.push(await kinds(node.db))
      },
    }))
    await enqueue(node.db, node.clock)
    await node.worker.runDue()
    expect(seen).toEqual([[]])
  })

  test('R17 does not run for a job whose lease has expired', async () => {
    let done = 0
    const node = await startAlone(async () => {
      await node.db.transact((tx) => tx.execute(sql`update jobs set attempt = 7`))
      const afterCommit = async () => {
        done += 1
      }
      return { ...DONE, afterCommit }
    })
    await enqueue(node.db, node.clock)
    await node.worker.runDue()
    expect([node.ran.length, done]).toEqual([1, 0])
  })
})

describe('stopping', () => {
  test('waits for running jobs and lets them record their results', async () => {
    const { open, opened } = gate()
    const node = await startAlone(() => opened.then(() => DONE))
    await startAndSettle(node)
    await enqueue(node.db, node.clock)
    await eventually(() => expect(node.ran).toHaveLength(1))
    let stopped = false
    const stopping = node.worker.stop().then(() => (stopped = true))
    expect(await kinds(node.db)).toEqual([PROBE])
    expect(stopped).toBe(false)
    open()
    await stopping
    expect(await kinds(node.db)).toEqual([])
  })

  test('claims nothing more, neither after a signal nor by the poll', async () => {
    const node = await startAlone()
    await startAndSettle(node)
    await node.worker.stop()
    const alarms = node.sleepsMs.length
    await enqueue(node.db, node.clock)
    node.clock.advanceSeconds(60)
    expect(await node.db.read.all(sql`select kind, attempt from jobs`)).toEqual([{ kind: PROBE, attempt: 0 }])
    expect(node.sleepsMs).toHaveLength(alarms)
  })
})

describe('R06 a clock that jumps', () => {
  test('forward by ten years runs a due job once, and back by two hours does not run it again', async () => {
    const node = await startAlone()
    await startAndSettle(node)
    await enqueue(node.db, node.clock, { runAt: plusSeconds(node.clock.now(), 3600) })
    const tenYears = plusSeconds(node.clock.now(), 10 * 365 * 86_400)
    node.clock.set(tenYears)
    await asTimePasses(node.clock, POLL_SECONDS, () => expect(node.ran).toHaveLength(1))
    await eventually(async () => expect(await kinds(node.db)).toEqual([]))
    await asleep(node)
    node.clock.set(plusSeconds(tenYears, -7200))
    node.clock.advanceSeconds(POLL_SECONDS)
    await enqueue(node.db, node.clock, probe({ after: 'the jump' }))
    await eventually(() => expect(node.ran).toHaveLength(2))
    expect(node.ran[1]?.payload).toEqual({ after: 'the jump' })
  })

  test('back and forth by a second, a hundred times, runs each job once', async () => {
    const node = await startAlone()
    await startAndSettle(node)
    for (let i = 0; i < 100; i++) {
      await enqueue(node.db, node.clock, { runAt: plusSeconds(node.clock.now(), i % 3) })
      node.clock.set(plusSeconds(node.clock.now(), i % 2 ? 1 : -1))
    }
    await asTimePasses(node.clock, POLL_SECONDS, () => expect(node.ran.length).toBeGreaterThanOrEqual(100))
    await eventually(async () => expect(await kinds(node.db)).toEqual([]))
    expect(new Set(node.ran.map(({ id }) => id)).size).toBe(100)
    expect(node.ran).toHaveLength(100)
  })
})
