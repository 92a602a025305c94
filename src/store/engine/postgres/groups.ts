// The model of grouped work (docs/decisions/0069-grouped-work.md, 0107-shared-transactions.md). A transaction costs several round
// trips and a flush of the log, however little it changes; and changes of one account would wait for each other in the server. So
// works queue here and share transactions.
//
//   kind    works that lock rows of the same tables in the same order. Only works of one kind share a transaction.
//   lane    the works of one kind and account. A lane has one transaction at a time.
//   chain   the works of a transaction that name the same row of an account. They run one after the other, each from what the
//           one before has returned. Works that name no row are chains of one.
//
//   works that arrive together      ──► transaction ─────────────────────────────► commit ──► results
//   A a, A a, B b, B c, C, C, which ──► the next one, when ─┬ A a: two works ┬───► commit ──► results
//   arrive meanwhile                    the one before has  ├ B b: one       │
//                                       ended               ├ B c: one       │
//                                                           └ C, C: one each ┘
//                                       a work fails after it changed rows, or a lock is not free: roll back, then each alone
//
// Chains run interleaved. So a work decides by its own row, and by other rows of its account only in a single statement or after
// `requireAlone`. Chains begin in the order of their accounts and rows and the first statement of a work locks its row, so that
// all rows are locked, in the same order on every node, before one of the works locks what they share.
//
// A transaction of several rows waits for locks only briefly: others must not wait for an account whose rows are locked for long, nor
// in a circle. One that takes long does not count any more. The lane has no other transaction until its works have run alone.
import assert from 'node:assert/strict'
import type { Group, Work } from '../database.ts'
import { unavailable } from '../trouble.ts'
import { type Grouped, type Outcome, type Outcomes, runChains } from './chains.ts'
import { isUnavailable, troubleOf } from './failures.ts'
import { MustRunAlone, type Run, runAlone } from './writer.ts'

type Waiting = Grouped & { settle(outcome: Outcome): void }
type Lane = { name: string; waiting: Waiting[] }
// `ready`: the lanes with works and without a transaction; first come, first served. `running`: transactions that count.
type Kind = { ready: Lane[]; running: number; isStarting: boolean }
// Works of a lane.
type Part = { lane: Lane; works: Waiting[] }

// Bounds how long the locks of a group are held, and how long the first of its works waits for the last.
const LARGEST_GROUP = 32
// Transactions of a kind that run at once. Meanwhile works gather for the next one.
const TRANSACTIONS_AT_ONCE = 2
const SLOW_MS = 50

export type GroupsParts = {
  // `impatient`: fails if it has to wait for a lock for more than a moment.
  transact<Result>(run: Run<Result>, how?: { impatient: boolean }): Promise<Result>
  monotonicMs(): number
}

export type Groups = {
  enqueue<Result>(group: Group, work: Work<Result>): Promise<Result>
}

export function createGroups({ transact, monotonicMs }: GroupsParts): Groups {
  const kinds = new Map<string, Kind>()
  const lanes = new Map<string, Lane>()

  function add(waiting: Waiting) {
    const { kind: kindName, account } = waiting.group
    const name = `${kindName} ${account}`
    const known = lanes.get(name)
    if (known) return known.waiting.push(waiting)
    const lane = { name, waiting: [waiting] }
    lanes.set(name, lane)
    const kind = kinds.get(kindName) ?? { ready: [], running: 0, isStarting: false }
    kinds.set(kindName, kind)
    kind.ready.push(lane)
    startLater(kind)
  }

  // After the microtasks, in which the other requests of this turn bring their works.
  function startLater(kind: Kind) {
    if (!kind.isStarting) process.nextTick(start, kind)
    kind.isStarting = true
  }

  function start(kind: Kind) {
    kind.isStarting = false
    while (kind.ready.length > 0 && kind.running < TRANSACTIONS_AT_ONCE) void run(kind, takeParts(kind.ready))
  }

  async function run(kind: Kind, parts: Part[]) {
    const stopCounting = count(kind)
    const remaining = await settleTogether(parts)
    await Promise.all(remaining.map((part) => settleAlone(part).then(() => endTurn(kind, part.lane))))
    stopCounting()
  }

  function count(kind: Kind): () => void {
    kind.running += 1
    let isCounted = true
    const stopCounting = () => {
      clearTimeout(timer)
      if (isCounted) kind.running -= 1
      isCounted = false
      startLater(kind)
    }
    const timer = setTimeout(stopCounting, SLOW_MS)
    return stopCounting
  }

  function endTurn(kind: Kind, lane: Lane) {
    if (lane.waiting.length === 0) return lanes.delete(lane.name)
    kind.ready.push(lane)
    startLater(kind)
  }

  // Returns the works that are left to run alone.
  async function settleTogether(parts: Part[]): Promise<Part[]> {
    const works = parts.flatMap((part) => part.works)
    if (works.length === 1) return parts
    try {
      const run: Run<Outcomes> = (transaction) => runChains(transaction, works, monotonicMs)
      const impatient = parts.length > 1 || works.some(({ group }) => group.row !== works[0]?.group.row)
      const outcomes = await transact(run, { impatient })
      return parts.map(({ lane, works }) => ({ lane, works: works.filter((one) => !settleBy(outcomes, one)) }))
    } catch (error) {
      if (!isUnavailable(error)) return parts
      for (const { lane, works } of parts) {
        settleAll(works, error)
        refuseUntried(lane.waiting, error)
      }
      return parts
    }
  }

  async function settleAlone({ lane, works }: Part) {
    for (let next = works.shift(); next; next = works.shift()) {
      const { work, settle } = next
      const outcome = await transact(runAlone(work)).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      )
      settle(outcome)
      if ('error' in outcome) for (const untried of [works, lane.waiting]) refuseUntried(untried, outcome.error)
    }
  }

  return {
    enqueue: <Result>(group: Group, work: Work<Result>) =>
      new Promise<Result>((resolve, reject) => {
        const settle = (outcome: Outcome) =>
          'error' in outcome ? reject(outcome.error) : resolve(outcome.result as Result)
        add({ group, work: work as Work<unknown>, settle })
      }),
  }
}

// Each lane gives as many works as the others.
function takeParts(ready: Lane[]): Part[] {
  const lanes = ready.splice(0, LARGEST_GROUP)
  const share = Math.floor(LARGEST_GROUP / lanes.length)
  return lanes.map((lane) => ({ lane, works: lane.waiting.splice(0, share) }))
}

// Returns false for a work that has to run alone.
function settleBy(outcomes: Outcomes, waiting: Waiting): boolean {
  const outcome = outcomes.get(waiting)
  assert(outcome, 'every work of a group has run before the commit')
  if ('error' in outcome && outcome.error instanceof MustRunAlone) return false
  waiting.settle(outcome)
  return true
}

function settleAll(works: Waiting[], error: unknown) {
  for (const { settle } of works.splice(0)) settle({ error })
}

// If the database cannot be used, each of them would wait for the timeout in turn, and its caller for all of them. The failure of
// another work may say that its own change may have been stored, which is not so for these.
function refuseUntried(works: Waiting[], failure: unknown) {
  const trouble = isUnavailable(failure) ? troubleOf(failure.cause) : undefined
  if (trouble) settleAll(works, unavailable(trouble, failure))
}
