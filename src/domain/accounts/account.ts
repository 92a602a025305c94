// An account, the overview of it that its owner reads, and how many resources of a kind it may have.
import type { QuotaKind } from '../../contract/limits.ts'
import type { PlanName } from '../../contract/plans.ts'
import { Problem, type ProblemName } from '../../contract/problems.ts'
import type { AccountKind, UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import type { IntegrationKey } from '../keys.ts'
import type { Plan } from '../plans.ts'

// The name of an organization is its nickname, because names are unique and nicknames are not.
export type User = {
  id: UserId
  kind: AccountKind
  name: string
  nickname: string | null
  plan: PlanName
  // Runs this server: may see its state.
  isOperator: boolean
  // Has mutes or quiet hours.
  holdsPushes: boolean
  createdAt: Instant
}

export type AccountUsage = {
  plan: Plan
  usage: Record<QuotaKind, { used: number; limit: number | null }>
  notificationsThisMonth: number
  now: Instant
}

export type AccountOverview = AccountUsage & {
  user: User
  activityCount: number
  // The key that asks, unless the person does.
  key?: IntegrationKey
}

// The caller has counted them under the lock of the account. `nouns` and `who` are for the sentence of the problem.
export function requireRoom(
  count: number,
  most: number,
  problem: ProblemName,
  nouns: string,
  who = 'An account',
): void {
  if (count >= most) throw new Problem(problem, `${who} has at most ${most} ${nouns}; delete one first.`)
}
