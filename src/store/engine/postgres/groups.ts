// The model of grouped work (docs/decisions/0069-grouped-work.md). Changes of one account lock the same rows, at last its feed.
// In transactions of their own they would wait for each other in the server, so they queue here and share transactions.
//
//   lane    the works of one key. A lane has one transaction at a time. Works that arrive meanwhile share the next one.
//   chain   the works of a transaction that name the same row. They run one after the other, each from what the one before
//           has returned. Works that name no row are chains of one.
//
//   work 1 ──► transaction of its own ──► commit
//   2 (row a), 3 (row b), 4 (row a), which arrive meanwhile ──► one transaction ─┬ a: 2, 4 ┬─► commit ──► results
//                                                                               └ b: 3    ┘
//                                             one fails after it changed rows: roll back, then each alone
//
// Chains run interleaved. So a work decides by its own row, and by other rows only in a single statement. Chains begin in the
// order of their rows and the first statement of a work locks its row, so that all rows are locked, in the same order on every
// node, before one of the works locks what they share.
import assert from 'node:assert/strict'
import type { Problem } from '../../../contract/problems.ts'
import type { Group, Work, Writer } from '../database.ts'
import { FOR_UPDATE, includes, type Sql } from '../sql.ts'
import { unavailable } from '../trouble.ts'
import { isUnavailable, troubleOf } from './failures.ts'

type Outcome = { result: unknown } | { error: unknown }
type Waiting = { row: string | undefined; work: Work<unknown>; settle(outcome: Outcome): void }

// Bounds how long the locks of a group are held, and how long the first of its works waits for the last.
const LARGEST_GROUP = 32
// Works that continue from the one before await nothing, so that a whole chain would run in one turn of the event loop. After
// this time the next work reads its row again, which lets other requests run.
const TURN_MS = 5

export type Groups = {
  enqueue<Result>(group: Group, work: Work<Result>): Promise<Result>
}

export function createGroups(
  transact: <Result>(work: Work<Result>) => Promise<Result>,
  monotonicMs: () => number,
): Groups {
  // The lanes with a transaction in progress, each with the works that wait for its end.
  const lanes = new Map<string, Waiting[]>()

  async function runLane(key: string, first: Waiting) {
    assert(!lanes.has(key), 'a lane has one transaction at a time')
    const lane: Waiting[] = []
    lanes.set(key, lane)
    for (let group = [first]; group.length > 0; group = lane.splice(0, LARGEST_GROUP)) {
      const notTried = await settleGroup(group)
      // Each would wait for the timeout in turn, and its caller for all of them.
      if (notTried) for (const { settle } of lane.splice(0)) settle({ error: notTried })
    }
    assert.equal(lane.length, 0, 'a lane ends when no work waits')
    lanes.delete(key)
  }

  // Returns the error for works that were not tried yet, if the database cannot be used.
  async function settleGroup(group: Waiting[]): Promise<Problem | undefined> {
    if (group.length === 1) return settleEach(group)
    try {
      const outcomes = await transact((tx) => runChains(tx, group, monotonicMs))
      for (const [index, { settle }] of group.entries()) settle(outcomes[index] as Outcome)
    } catch (error) {
      if (!isUnavailable(error)) return settleEach(group)
      for (const { settle } of group) settle({ error })
      return errorOfUntried(error)
    }
  }

  async function settleEach(group: Waiting[]): Promise<Problem | undefined> {
    let notTried: Problem | undefined
    for (const { work, settle } of group) {
      const outcome: Outcome = notTried
        ? { error: notTried }
        : await transact(work).then(
            (result) => ({ result }),
            (error) => ({ error }),
          )
      settle(outcome)
      if ('error' in outcome) notTried ??= errorOfUntried(outcome.error)
    }
    return notTried
  }

  return {
    enqueue<Result>({ key, row }: Group, work: Work<Result>) {
      return new Promise<Result>((resolve, reject) => {
        const settle = (outcome: Outcome) =>
          'error' in outcome ? reject(outcome.error) : resolve(outcome.result as Result)
        const waiting = { row, work: work as Work<unknown>, settle }
        const lane = lanes.get(key)
        if (lane) lane.push(waiting)
        else void runLane(key, waiting)
      })
    },
  }
}

// The failure of a work may say that its own change may have been stored, which is not so for works that wait behind it.
function errorOfUntried(failure: unknown): Problem | undefined {
  const trouble = isUnavailable(failure) ? troubleOf(failure.cause) : undefined
  return trouble && unavailable(trouble, failure)
}

type Outcomes = Map<Waiting, Outcome>

async function runChains(tx: Writer, group: Waiting[], monotonicMs: () => number): Promise<Outcome[]> {
  const chains = [...Map.groupBy(group, (waiting) => waiting.row ?? waiting).values()].sort(byRow)
  const outcomes: Outcomes = new Map()
  const mustLock = chains.length > 1
  await Promise.all(chains.map((chain) => runChain(tx, chain, { mustLock, outcomes, monotonicMs })))
  return group.map((waiting) => {
    const outcome = outcomes.get(waiting)
    assert(outcome, 'every work of a group has run before the commit')
    return outcome
  })
}

const byRow = ([one]: Waiting[], [other]: Waiting[]): number => {
  const [row = '', otherRow = ''] = [one?.row, other?.row]
  return row < otherRow ? -1 : Number(row > otherRow)
}

type ChainOptions = { mustLock: boolean; outcomes: Outcomes; monotonicMs(): number }

async function runChain(tx: Writer, chain: Waiting[], { mustLock, outcomes, monotonicMs }: ChainOptions) {
  let before: unknown
  let turnMs = 0
  for (const waiting of chain) {
    if (monotonicMs() - turnMs > TURN_MS) before = undefined
    const { row, work } = waiting
    const isFirst = waiting === chain[0] && row !== undefined
    const outcome = await runOne(watch(tx, mustLock && isFirst), (watched) => work(watched, before))
    // It has read its row, so a new turn has begun.
    if (before === undefined) turnMs = monotonicMs()
    if ('result' in outcome) before = outcome.result
    outcomes.set(waiting, outcome)
  }
}

// A work that is refused before it has changed anything leaves nothing to undo; most refusals are of that kind.
async function runOne({ watched, hasChanged }: Watched, work: (tx: Writer) => Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await work(watched) }
  } catch (error) {
    if (hasChanged()) throw error
    return { error }
  }
}

type Watched = { watched: Writer; hasChanged(): boolean }

// `mustLock`: the first statement must lock a row.
function watch(tx: Writer, mustLock: boolean): Watched {
  let hasChanged = false
  let hasLocked = !mustLock
  const note = (query: Sql) => {
    const isChange = !isSelect(query)
    hasLocked ||= isChange || includes(query, FOR_UPDATE)
    assert(hasLocked, 'the first statement of a work that names a row locks it')
    hasChanged ||= isChange
    return query
  }
  const watched: Writer = {
    all: (query) => tx.all(note(query)),
    first: (query) => tx.first(note(query)),
    cached: (query, make) => tx.cached(note(query), make),
    // An upsert that finds a quota used up changes no row.
    async execute(query) {
      hasLocked = true
      const count = await tx.execute(query)
      hasChanged ||= count > 0
      return count
    },
    queue: (query) => tx.queue(note(query)),
    queueBoth: (first, second) => tx.queueBoth(note(first), second),
    insert: (query) => tx.insert(note(query)),
    lock(query) {
      hasLocked = true
      return tx.lock(query)
    },
    signal(topic) {
      hasChanged = true
      tx.signal(topic)
    },
    later(step, item) {
      hasChanged = true
      tx.later(step, item)
    },
    takeNow: tx.takeNow,
  }
  return { watched, hasChanged: () => hasChanged }
}

const isSelect = ({ strings }: Sql): boolean => strings[0]?.trimStart().startsWith('select') ?? false
