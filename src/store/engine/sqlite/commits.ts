// Group commit: transactions that arrive in one event-loop turn share one SQLite transaction, and so one fsync.
//
//   enqueue ──► waiting ──(end of turn)──► begin immediate ──► work 1, work 2, … ──► commit ──► results, signals
//                  ▲                            │                   │
//                  │                            │                   └ a work fails after it changed rows: roll back and
//                  │                            │                     run the group again, each work in a savepoint
//                  │                            └ the write lock is held elsewhere or the disk fails: nothing is stored
//                  └──── retry by timer ────────┘ (`locked`), or every work of the group is refused
//
// A savepoint per work would roll back a failing work alone, but costs every send more than the rare second run does.
import type { DatabaseObserver, Writer } from '../database.ts'
import type { Signals } from '../signals.ts'
import type { Compile } from '../sql.ts'
import { type TroubleRecord, unavailable } from '../trouble.ts'
import type { SqliteConnection } from './connection.ts'
import { rollback, troubleOf } from './connection.ts'
import type { ReadCache } from './read-cache.ts'
import { prepareOnce } from './statements.ts'
import { createTurnWatch } from './turn-watch.ts'
import { type Effects, openWriter } from './writer.ts'

type Outcome = { result: unknown } | { error: unknown }
// `keep` is false for a rehearsal, which is rolled back.
type Work = {
  run: (tx: Writer) => Promise<unknown>
  keep: boolean
  arrivedAtMs: number
  settle: (outcome: Outcome) => void
}
type Settled = { work: Work; outcome: Outcome }
type Group = Effects & { hasChanged: boolean }

const GROUP_MUST_ROLL_BACK = new Error('a work of the group has failed after it changed rows')

// For developers whose work breaks a rule of `transact`.
const NESTED = 'A transaction was begun inside the work of another, a deadlock: pass `tx` on, or begin it afterwards.'

// Both bound how long other requests wait: the works of a group run in one event-loop turn.
const LARGEST_GROUP = 256
const LONGEST_TURN_MS = 10
const LOCK_RETRY_MS = 2

export type Commits = {
  enqueue<Result>(run: (tx: Writer) => Promise<Result>, keep: boolean): Promise<Result>
  // Whether the calling code is part of a work: no other code runs meanwhile.
  isRunningWork(): boolean
  // Works that have not begun.
  waiting(): number
  idle(): Promise<void>
}

export type CommitParts = {
  connection: SqliteConnection
  compile: Compile
  cache: ReadCache
  signals: Signals
  troubles: TroubleRecord
  requireFile(): void
  monotonicMs(): number
  // How long a change waits for another process that holds the write lock.
  lockPatienceMs: number
  observer?: DatabaseObserver
}

export function createCommits(parts: CommitParts): Commits {
  const { connection, compile, cache, signals, troubles, requireFile, monotonicMs, lockPatienceMs, observer } = parts
  const prepare = prepareOnce(connection)
  const turn = createTurnWatch()
  const waiting: Work[] = []
  let isScheduled = false
  let whenIdle: (() => void)[] = []

  // setImmediate: all requests that arrived in this turn have enqueued their work by then.
  const scheduleTurn = () => setImmediate(takeTurn)

  function continueWith(schedule: () => void) {
    isScheduled = waiting.length > 0
    if (isScheduled) return schedule()
    for (const resolve of whenIdle) resolve()
    whenIdle = []
  }

  async function takeTurn() {
    const taken: Work[] = []
    const endAtMs = monotonicMs() + LONGEST_TURN_MS
    const takeNext = () => {
      if (taken.length >= LARGEST_GROUP || (taken.length > 0 && monotonicMs() >= endAtMs)) return undefined
      const work = waiting.shift()
      if (work) taken.push(work)
      return work
    }
    let failure = await commit(takeNext, runInGroup)
    if (failure === GROUP_MUST_ROLL_BACK) {
      const again = taken.values()
      failure = await commit(() => again.next().value, runInSavepoint)
    }
    if (failure === undefined) return continueWith(scheduleTurn)
    if (troubleOf(failure) === 'locked') return waitForLock(taken, failure)
    refuse(taken.length > 0 ? taken : waiting.splice(0, LARGEST_GROUP), failure)
    continueWith(scheduleTurn)
  }

  // Returns the error because of which nothing was committed, if any.
  async function commit(next: () => Work | undefined, runWork: typeof runInSavepoint): Promise<unknown> {
    const group: Group = { topics: new Set(), changedTables: new Set(), hasChanged: false }
    const settled: Settled[] = []
    const begunAtMs = observer ? monotonicMs() : 0
    try {
      requireFile()
      prepare('begin immediate').run()
      for (let work = next(); work; work = next()) {
        settled.push({ work, outcome: await (work.keep ? runWork : runInSavepoint)(work, group) })
      }
      prepare('commit').run()
    } catch (error) {
      rollback(connection)
      return error
    }
    cache.tablesChanged(group.changedTables)
    if (group.hasChanged) troubles.stored()
    if (observer) report(observer, settled, begunAtMs)
    for (const { work, outcome } of settled) work.settle(outcome)
    signals.publish(group.topics)
  }

  function report({ groupCommitted, transactionEnded }: DatabaseObserver, settled: Settled[], begunAtMs: number) {
    const nowMs = monotonicMs()
    groupCommitted(settled.length, nowMs - begunAtMs)
    for (const { work } of settled) transactionEnded(nowMs - work.arrivedAtMs)
  }

  async function runInSavepoint(work: Work, group: Group): Promise<Outcome> {
    const topics = new Set<string>()
    prepare('savepoint work').run()
    const { outcome, hasChanged } = await run(work, { topics, changedTables: group.changedTables })
    const isKept = work.keep && !('error' in outcome)
    if (isKept) for (const topic of topics) group.topics.add(topic)
    else prepare('rollback to work').run()
    prepare('release work').run()
    group.hasChanged ||= isKept && hasChanged
    return outcome
  }

  async function runInGroup(work: Work, group: Group): Promise<Outcome> {
    const { outcome, hasChanged } = await run(work, group)
    if ('error' in outcome && hasChanged) throw GROUP_MUST_ROLL_BACK
    group.hasChanged ||= hasChanged
    return outcome
  }

  async function run(work: Work, effects: Effects) {
    const { tx, takeLastSteps, end } = openWriter({ ...effects, compile, prepare })
    try {
      const result = await turn.enter(() => work.run(tx))
      takeLastSteps()
      return { outcome: { result }, hasChanged: end() }
    } catch (error) {
      const hasChanged = end()
      if (troubleOf(error)) throw error
      return { outcome: { error }, hasChanged }
    } finally {
      turn.leave()
    }
  }

  // Nothing of the group has been stored, so all of it can run again. The timer lets the event loop go on meanwhile.
  function waitForLock(group: Work[], failure: unknown) {
    waiting.unshift(...group)
    const now = monotonicMs()
    const patient = waiting.findIndex(({ arrivedAtMs }) => now - arrivedAtMs < lockPatienceMs)
    refuse(waiting.splice(0, patient === -1 ? waiting.length : patient), failure)
    continueWith(() => setTimeout(takeTurn, LOCK_RETRY_MS))
  }

  function refuse(works: Work[], failure: unknown) {
    if (works.length === 0) return
    const trouble = troubleOf(failure)
    if (trouble) troubles.failed(trouble)
    for (const work of works) work.settle({ error: unavailable(trouble ?? 'failing', failure) })
  }

  return {
    enqueue<Result>(run: (tx: Writer) => Promise<Result>, keep: boolean) {
      return new Promise<Result>((resolve, reject) => {
        if (turn.isInside()) throw new Error(NESTED)
        const settle = (outcome: Outcome) =>
          'error' in outcome ? reject(outcome.error) : resolve(outcome.result as Result)
        waiting.push({ run, keep, arrivedAtMs: monotonicMs(), settle })
        if (!isScheduled) scheduleTurn()
        isScheduled = true
      })
    },
    isRunningWork: turn.isInside,
    waiting: () => waiting.length,
    idle: () => (isScheduled ? new Promise<void>((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  }
}
