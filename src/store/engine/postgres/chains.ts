// Runs the works of a transaction that several share: as chains, interleaved (groups.ts has the model).
import assert from 'node:assert/strict'
import type { Group, Work, Writer } from '../database.ts'
import { FOR_UPDATE, includes, type Sql } from '../sql.ts'

export type Grouped = { group: Group; work: Work<unknown> }
export type Outcome = { result: unknown } | { error: unknown }
export type Outcomes = Map<Grouped, Outcome>

// Thrown by `requireAlone` if works of other rows share the transaction.
export class MustRunAlone extends Error {}

// Works that continue from the one before await nothing, so that a whole chain would run in one turn of the event loop. After
// this time the next work reads its row again, which lets other requests run.
const TURN_MS = 5

export async function runChains(tx: Writer, group: Grouped[], monotonicMs: () => number): Promise<Outcomes> {
  const chains = [...Map.groupBy(group, rowOf).values()].sort(byAccountAndRow)
  const outcomes: Outcomes = new Map()
  const isShared = chains.length > 1
  await Promise.all(chains.map((chain) => runChain(tx, chain, { isShared, outcomes, monotonicMs })))
  return outcomes
}

const rowOf = (one: Grouped) => (one.group.row === undefined ? one : placeOf(one))
const placeOf = ({ group: { account, row = '' } }: Grouped) => `${account} ${row}`

function byAccountAndRow([one]: Grouped[], [other]: Grouped[]): number {
  const [place, otherPlace] = [one, other].map((work) => work && placeOf(work)) as [string, string]
  return place < otherPlace ? -1 : Number(place > otherPlace)
}

type ChainOptions = { isShared: boolean; outcomes: Outcomes; monotonicMs(): number }

async function runChain(tx: Writer, chain: Grouped[], { isShared, outcomes, monotonicMs }: ChainOptions) {
  let before: unknown
  let turnMs = 0
  for (const one of chain) {
    if (monotonicMs() - turnMs > TURN_MS) before = undefined
    const { group, work } = one
    const mustLock = isShared && one === chain[0] && group.row !== undefined
    const outcome = await runOne(watch(tx, { mustLock, isShared }), (watched) => work(watched, before))
    // It has read its row, so a new turn has begun.
    if (before === undefined) turnMs = monotonicMs()
    if ('result' in outcome) before = outcome.result
    outcomes.set(one, outcome)
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
function watch(tx: Writer, { mustLock, isShared }: { mustLock: boolean; isShared: boolean }): Watched {
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
    requireAlone() {
      if (isShared) throw new MustRunAlone()
    },
  }
  return { watched, hasChanged: () => hasChanged }
}

const isSelect = ({ strings }: Sql): boolean => strings[0]?.trimStart().startsWith('select') ?? false
