// The result of one run of a job. Operations that a job starts return it; the worker settles the job by it.

import type { Instant } from '../domain/instant.ts'
import type { JobKind, Jobs } from '../domain/jobs.ts'
import type { PushOutcome } from '../domain/notifications/delivery.ts'
import type { Writer } from '../store/engine/database.ts'

// `again`: this run succeeded, and there is more to do at that time. `retryAt`: what the job tries has failed, as a push that
// is answered with 503; the job itself says when to try again, and the run counts as a failure. Both with another payload if
// only a part of the work is left, which needs the kind `K`. `untriedUntil`: the job has tried nothing, because a provider is
// left alone until then; the run counts neither way.
export type JobResult<K extends JobKind = never> = (
  | { done: true }
  | { again: Instant; payload?: Jobs[K] }
  | { retryAt: Instant; payload?: Jobs[K] }
  | { untriedUntil: Instant }
) & {
  // Runs in the transaction that settles the job. It is rolled back if the lease has lapsed.
  record?: (tx: Writer) => Promise<void>
  // Runs after that commit, unless the lease has lapsed. It does not run if the process dies first, so it may only speed
  // up what rows lead to anyway.
  afterCommit?: () => Promise<void>
  // For a caller that waits for this run; `refused` if absent.
  outcome?: PushOutcome
}
