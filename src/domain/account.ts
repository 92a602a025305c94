// An account, and the overview of it that its owner reads.
import type { Plan, QuotaKind } from '../contract/limits.ts'
import type { UserId } from './caller.ts'
import type { Instant } from './instant.ts'
import type { IntegrationKey } from './integration-key.ts'

export type User = { id: UserId; name: string; nickname: string | null; plan: Plan; createdAt: Instant }

export type AccountOverview = {
  user: User
  activityCount: number
  usage: Record<QuotaKind, { used: number; limit: number | null }>
  notificationsThisMonth: number
  // The key that asks, unless the person does.
  key?: IntegrationKey
  now: Instant
}
