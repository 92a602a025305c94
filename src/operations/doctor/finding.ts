// What the checks of the server find, and what to do about it.

import type { Caller } from '../../domain/caller.ts'
import { StartError } from '../../domain/errors.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Clock } from '../../runtime/clock.ts'
import { requireOperator } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'

export type Status = 'ok' | 'warning' | 'failure'
// `fix` is absent if there is nothing to do.
export type Finding = { check: string; status: Status; found: string; fix?: string }
export type Found = Omit<Finding, 'check'>

// `late`: what is found if there is no result in time; without it, that a server does not answer.
export type Check = { name: string; look(): Promise<Found>; late?: Found }

export const ok = (found: string): Found => ({ status: 'ok', found })
export const warning = (found: string, fix: string): Found => ({ status: 'warning', found, fix })
export const failure = (found: string, fix: string): Found => ({ status: 'failure', found, fix })

export const hasFailure = (findings: Finding[]) => findings.some(({ status }) => status === 'failure')

const LONGEST_MS = 10_000
const LATE = `no result within ${LONGEST_MS / 1000} s`
const NO_ANSWER = failure(LATE, 'look whether a firewall drops the packets')
// For a check that asks no other machine: it can be late only because this one is busy.
export const BUSY = warning(LATE, 'check again when the machine is less busy')

// All at once: the slowest is a server that does not answer.
export function runChecks(checks: Check[], clock: Clock): Promise<Finding[]> {
  return Promise.all(checks.map(async (check) => ({ check: check.name, ...(await lookInTime(check, clock)) })))
}

function lookInTime({ look, late = NO_ANSWER }: Check, clock: Clock): Promise<Found> {
  return new Promise((resolve) => {
    const cancel = clock.wakeAfter(LONGEST_MS, () => resolve(late))
    void look().catch(describeError).then(resolve).finally(cancel)
  })
}

// The message of a StartError says what is wrong and then, after a semicolon, what to do.
export function describeError(error: unknown): Found {
  const message = error instanceof Error ? error.message : String(error)
  const [found = '', ...fixes] = error instanceof StartError ? message.split('; ') : [`cannot be checked (${message})`]
  return failure(found, fixes.join('; ') || 'correct this first, then check again')
}

// The checks of the running server, for its operators. The result is kept for a while: nobody can hammer APNs or the mail
// server by asking often.
export type Checkup = { checkedAt: Instant; findings: Finding[] }
export type RunCheckup = () => Promise<Checkup>

const KEPT_MS = 30_000

// Callers that come while the checks run get the same result.
export function createCheckup(clock: Clock, check: () => Promise<Finding[]>): RunCheckup {
  let last: { atMs: number; result: Promise<Checkup> } | undefined
  return () => {
    const nowMs = clock.monotonicMs()
    if (!last || nowMs - last.atMs >= KEPT_MS) {
      const checkedAt = clock.now()
      last = { atMs: nowMs, result: check().then((findings) => ({ checkedAt, findings })) }
    }
    return last.result
  }
}

export async function checkUp(ctx: Context, caller: Caller, run: RunCheckup): Promise<Checkup> {
  await requireOperator(ctx, caller)
  return run()
}
