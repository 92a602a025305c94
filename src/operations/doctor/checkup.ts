// The checks of the running server, for its operators. The result is kept for a while: nobody can hammer APNs or the mail
// server by asking often.
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Clock } from '../../runtime/clock.ts'
import { requireOperator } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'

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
