// Runs the works of a transaction that several share: as chains, interleaved (groups.ts has the model).
import type { Group, Work } from '../database.ts'
import type { OpenWriter, Transaction } from './writer.ts'

export type Grouped = { group: Group; work: Work<unknown> }
export type Outcome = { result: unknown } | { error: unknown }
export type Outcomes = Map<Grouped, Outcome>

// Works that continue from the one before await nothing, so that a whole chain would run in one turn of the event loop. After
// this time the next work reads its row again, which lets other requests run.
const TURN_MS = 5

export async function runChains(
  transaction: Transaction,
  group: Grouped[],
  monotonicMs: () => number,
): Promise<Outcomes> {
  const chains = [...Map.groupBy(group, rowOf).values()].sort(byAccountAndRow)
  const outcomes: Outcomes = new Map()
  const isShared = chains.length > 1
  await Promise.all(chains.map((chain) => runChain(transaction, chain, { isShared, outcomes, monotonicMs })))
  return outcomes
}

const rowOf = (one: Grouped) => (one.group.row === undefined ? one : placeOf(one))
const placeOf = ({ group: { account, row = '' } }: Grouped) => `${account} ${row}`

function byAccountAndRow([one]: Grouped[], [other]: Grouped[]): number {
  const [place, otherPlace] = [one, other].map((work) => work && placeOf(work)) as [string, string]
  return place < otherPlace ? -1 : Number(place > otherPlace)
}

type ChainOptions = { isShared: boolean; outcomes: Outcomes; monotonicMs(): number }

async function runChain(transaction: Transaction, chain: Grouped[], { isShared, outcomes, monotonicMs }: ChainOptions) {
  let before: unknown
  let turnMs = 0
  for (const one of chain) {
    if (monotonicMs() - turnMs > TURN_MS) before = undefined
    const mustLock = isShared && one === chain[0] && one.group.row !== undefined
    const outcome = await runOne(transaction.openWriter({ mustLock, isShared }), one.work, before)
    // It has read its row, so a new turn has begun.
    if (before === undefined) turnMs = monotonicMs()
    if ('result' in outcome) before = outcome.result
    outcomes.set(one, outcome)
  }
}

// A work that is refused before it has changed anything leaves nothing to undo; most refusals are of that kind.
async function runOne({ tx, hasChanged }: OpenWriter, work: Work<unknown>, before: unknown): Promise<Outcome> {
  try {
    return { result: await work(tx, before) }
  } catch (error) {
    if (hasChanged()) throw error
    return { error }
  }
}
