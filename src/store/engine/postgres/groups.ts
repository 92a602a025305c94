// Group commit: works of one key would wait for each other's row locks, so those that arrive while one of them runs share
// the next transaction. They run in it one after the other, or together if they commute.
//
//   work 1 ──► transaction of its own ──► commit
//   works 2, 3, 4, which arrive meanwhile ──────► one transaction: 2, 3, 4 ──► commit ──► results
//                                                       └ one fails after it changed rows: roll back, then each alone

import type { Problem } from '../../../contract/problems.ts'
import type { Group, Work, Writer } from '../database.ts'
import type { Sql } from '../sql.ts'
import { unavailable } from '../trouble.ts'
import { isUnavailable, troubleOf } from './failures.ts'

type Outcome = { result: unknown } | { error: unknown }
type Waiting = { work: Work<unknown>; settle(outcome: Outcome): void }

// Bounds how long the locks of a group are held, and how long the first of its works waits for the last.
const LARGEST_GROUP = 32
// A work that gets what the one before returned may await no answer, so that all of them would run in one turn of the event
// loop. After this time the next one reads its rows again and so lets other requests run.
const TURN_MS = 5

export type Groups = {
  enqueue<Result>(group: Group, work: Work<Result>): Promise<Result>
}

export function createGroups(
  transact: <Result>(work: Work<Result>) => Promise<Result>,
  monotonicMs: () => number,
): Groups {
  // Keys of which a transaction runs, with the works that wait for its end.
  const lanes = new Map<string, Waiting[]>()

  async function takeTurns({ key, commutes }: Group, first: Waiting) {
    const lane: Waiting[] = []
    lanes.set(key, lane)
    for (let group = [first]; group.length > 0; group = lane.splice(0, LARGEST_GROUP)) {
      const notTried = await settleGroup(group, commutes ? runTogether : runInTurns)
      // Each would wait for the timeout in turn, and its caller for all of them.
      if (notTried) for (const { settle } of lane.splice(0)) settle({ error: notTried })
    }
    lanes.delete(key)
  }

  const runInTurns = (tx: Writer, group: Waiting[]) => runInOrder(tx, group, monotonicMs)

  // Returns the error for works that were not tried yet, if the database cannot be used.
  async function settleGroup(group: Waiting[], run: typeof runTogether): Promise<Problem | undefined> {
    if (group.length === 1) return settleEach(group)
    try {
      const outcomes = await transact((tx) => run(tx, group))
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
    enqueue<Result>(group: Group, work: Work<Result>) {
      return new Promise<Result>((resolve, reject) => {
        const settle = (outcome: Outcome) =>
          'error' in outcome ? reject(outcome.error) : resolve(outcome.result as Result)
        const lane = lanes.get(group.key)
        const waiting = { work: work as Work<unknown>, settle }
        if (lane) lane.push(waiting)
        else void takeTurns(group, waiting)
      })
    },
  }
}

// The failure of a work may say that its own change may have been stored, which is not so for works that wait behind it.
function errorOfUntried(failure: unknown): Problem | undefined {
  const trouble = isUnavailable(failure) ? troubleOf(failure.cause) : undefined
  return trouble && unavailable(trouble, failure)
}

const runTogether = (tx: Writer, group: Waiting[]): Promise<Outcome[]> =>
  Promise.all(group.map(({ work }) => runOne(tx, work)))

async function runInOrder(tx: Writer, group: Waiting[], monotonicMs: () => number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let before: unknown
  let turnMs = 0
  for (const { work } of group) {
    if (monotonicMs() - turnMs > TURN_MS) before = undefined
    const outcome = await runOne(tx, (one) => work(one, before))
    // It has read its rows, so a new turn has begun.
    if (before === undefined) turnMs = monotonicMs()
    if ('result' in outcome) before = outcome.result
    outcomes.push(outcome)
  }
  return outcomes
}

// A work that is refused before it has changed anything leaves nothing to undo; most refusals are of that kind.
async function runOne(tx: Writer, work: (tx: Writer) => Promise<unknown>): Promise<Outcome> {
  const { counted, hasChanged } = countChanges(tx)
  try {
    return { result: await work(counted) }
  } catch (error) {
    if (hasChanged()) throw error
    return { error }
  }
}

function countChanges(tx: Writer): { counted: Writer; hasChanged(): boolean } {
  let hasChanged = false
  const noted = (query: Sql) => {
    hasChanged ||= !isSelect(query)
    return query
  }
  const counted: Writer = {
    all: (query) => tx.all(noted(query)),
    first: (query) => tx.first(noted(query)),
    cached: (query, make) => tx.cached(noted(query), make),
    // An upsert that finds a quota used up changes no row.
    async execute(query) {
      const count = await tx.execute(query)
      hasChanged ||= count > 0
      return count
    },
    queue: (query) => tx.queue(noted(query)),
    queueBoth: (first, second) => tx.queueBoth(noted(first), second),
    insert: (query) => tx.insert(noted(query)),
    lock: (query) => tx.lock(query),
    signal(topic) {
      hasChanged = true
      tx.signal(topic)
    },
  }
  return { counted, hasChanged: () => hasChanged }
}

const isSelect = ({ strings }: Sql): boolean => strings[0]?.trimStart().startsWith('select') ?? false
