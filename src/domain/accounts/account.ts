// An account, and the overview of it that its owner reads.
import type { Plan, QuotaKind } from '../../contract/limits.ts'
import type { AccountKind, UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import type { IntegrationKey } from '../keys.ts'

// The name of an organization is its nickname, because names are unique and nicknames are not.
export type User = {
  id: UserId
  kind: AccountKind
  name: string
  nickname: string | null
  plan: Plan
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
