// The plans of this server: whether one has a name, and which an account has.
import type { PlanName } from '../contract/plans.ts'
import { validationProblem } from '../contract/validation.ts'
import type { UserId } from '../domain/caller.ts'
import type { Plan } from '../domain/plans.ts'
import { findUser } from '../store/accounts/accounts.ts'
import type { Reader } from '../store/engine/database.ts'
import type { Context } from './context.ts'

export function requirePlan({ config }: Context, plan: PlanName): void {
  const { names } = config.plans
  if (names.includes(plan)) return
  throw validationProblem([{ location: 'plan', message: `must be one of ${names.join(', ')}` }])
}

// For what no request of the account has started.
export async function planOf({ config }: Context, db: Reader, userId: UserId): Promise<Plan> {
  return config.plans.named((await findUser(db, userId))?.plan ?? 'free')
}
