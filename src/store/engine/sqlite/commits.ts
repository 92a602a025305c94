// Runs transactions on SQLite. Those that arrive together share one commit, and so one fsync: they run one after the other,
// and their answers are released after the commit. One that fails is undone alone, for which the others run again, each in
// a savepoint of its own; savepoints for all would cost more than that. A failing commit fails all.
import type { Writer } from '../database.ts'
import type { ReadCache } from '../read-cache.ts'
import type { Signals } from '../signals.ts'
import { type TroubleRecord, unavailable } from '../trouble.ts'
import { createTurnWatch } from '../turn-watch.ts'
import { rollback } from './connection.ts'
import { troubleOf } from './failures.ts'
import type { SqliteConnection } from './module.ts'
import { prepareOnce } from './statements.ts'
import { openWriter } from './writer.ts'

type Outcome = { result: unknown } | { error: unknown }
type Work = {
  run: (tx: Writer) => Promise<unknown>
  keep: boolean
  arrivedAtMs: number
  settle: (outcome: Outcome) => void
}
// What the works of one commit have told and run.
type Group = { topics: Set<string>; ran: Set<string>; hasStored: boolean }

const TO_BE_UNDONE = new Error('one of the group has failed and left something to undo')

// Both bound how long everyone else waits for a group: the works run in one turn of the event loop.
const LARGEST_GROUP = 256
const LONGEST_TURN_MS = 10
// How soon to try again after another process was found to hold the write lock.
const LOCK_RETRY_MS = 5

export type Commits = {
  enqueue<Result>(run: (tx: Writer) => Promise<Result>, keep: boolean): Promise<Result>
  // While this is true, nothing runs but a work.
  isRunningWork(): boolean
  idle(): Promise<void>
}

export type CommitParts = {
  connection: SqliteConnection
  cache: ReadCache
  signals: Signals
  troubles: TroubleRecord
  requireFile(): void
  monotonicMs(): number
  // How long a change waits for another process that holds the write lock.
  lockPatienceMs: number
}

export function createCommits(parts: CommitParts): Commits {
  const { connection, cache, signals, troubles, requireFile, monotonicMs, lockPatienceMs } = parts
  const say = prepareOnce(connection)
  const turn = createTurnWatch()
  const waiting: Work[] = []
  let isScheduled = false
  let whenIdle: (() => void)[] = []

  // At the end of this turn of the event loop, when all requests that arrived with it are here.
  const nextTurn = () => setImmediate(takeTurn)

  function goOn(schedule: () => void) {
    isScheduled = waiting.length > 0
    if (isScheduled) return schedule()
    for (const tell of whenIdle) tell()
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
    let failure = await commit(takeNext, runAmongOthers)
    if (failure === TO_BE_UNDONE) {
      const again = taken.values()
      failure = await commit(() => again.next().value, runApart)
    }
    if (failure === undefined) return goOn(nextTurn)
    if (troubleOf(failure) === 'locked') return waitForLock(taken, failure)
    refuse(taken.length > 0 ? taken : waiting.splice(0, LARGEST_GROUP), failure)
    goOn(nextTurn)
  }

  // Returns why nothing was committed, if so.
  async function commit(next: () => Work | undefined, runIn: typeof runApart): Promise<unknown> {
    const group: Group = { topics: new Set(), ran: new Set(), hasStored: false }
    const settled: { work: Work; outcome: Outcome }[] = []
    try {
      requireFile()
      say('begin immediate').act()
      for (let work = next(); work; work = next()) {
        settled.push({ work, outcome: await (work.keep ? runIn : runApart)(work, group) })
      }
      say('commit').act()
    } catch (error) {
      rollback(connection)
      return error
    }
    cache.committed(group.ran)
    if (group.hasStored) troubles.stored()
    for (const { work, outcome } of settled) work.settle(outcome)
    signals.publish(group.topics)
  }

  async function runApart(work: Work, group: Group): Promise<Outcome> {
    const topics = new Set<string>()
    say('savepoint work').act()
    const { outcome, hasActed } = await run(work, topics, group.ran)
    const isKept = work.keep && !('error' in outcome)
    if (isKept) for (const topic of topics) group.topics.add(topic)
    else say('rollback to work').act()
    say('release work').act()
    group.hasStored ||= isKept && hasActed
    return outcome
  }

  async function runAmongOthers(work: Work, group: Group): Promise<Outcome> {
    const { outcome, hasActed } = await run(work, group.topics, group.ran)
    if ('error' in outcome && hasActed) throw TO_BE_UNDONE
    group.hasStored ||= hasActed
    return outcome
  }

  async function run(work: Work, topics: Set<string>, ran: Set<string>) {
    const { tx, end } = openWriter(connection, topics, ran)
    try {
      const result = await turn.enter(() => work.run(tx))
      return { outcome: { result }, hasActed: end() }
    } catch (error) {
      const hasActed = end()
      if (troubleOf(error)) throw error
      return { outcome: { error }, hasActed }
    } finally {
      turn.leave()
    }
  }

  // Nothing of the group has been stored, so all of it can run again. The event loop goes on meanwhile.
  function waitForLock(group: Work[], failure: unknown) {
    waiting.unshift(...group)
    const now = monotonicMs()
    const patient = waiting.findIndex(({ arrivedAtMs }) => now - arrivedAtMs < lockPatienceMs)
    refuse(waiting.splice(0, patient === -1 ? waiting.length : patient), failure)
    goOn(() => setTimeout(takeTurn, LOCK_RETRY_MS))
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
        const settle = (outcome: Outcome) =>
          'error' in outcome ? reject(outcome.error) : resolve(outcome.result as Result)
        waiting.push({ run, keep, arrivedAtMs: monotonicMs(), settle })
        if (!isScheduled) nextTurn()
        isScheduled = true
      })
    },
    isRunningWork: turn.isInside,
    idle: () => (isScheduled ? new Promise<void>((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  }
}
