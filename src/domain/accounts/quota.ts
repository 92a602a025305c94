// The quotas of a plan: when they reset, and the problem when one is used up.
import type { Allowance, QuotaKind } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { type Instant, startOfNextDay, startOfNextMonth, toRfc3339 } from '../instant.ts'
import type { Plan } from '../plans.ts'

export function resetAt(allowance: Allowance | null, now: Instant): Instant {
  return allowance?.per === 'day' ? startOfNextDay(now) : startOfNextMonth(now)
}

// `used` counts the request itself. `limit` is null where the plan has none.
export type QuotaEffect = { kind: QuotaKind; cost: number; used: number; limit: number | null }

const QUOTA_UNITS: Record<QuotaKind, string> = {
  notifications: 'push notifications',
  live_activity_updates: 'live activity updates',
  widget_updates: 'widget updates',
  emails: 'e-mails',
}

export function quotaExceeded(plan: Plan, kind: QuotaKind, now: Instant): Problem {
  const allowance = plan.quotas[kind]
  const limit = allowance?.limit ?? 0
  const resets = resetAt(allowance, now)
  return new Problem(
    'quota.exceeded',
    `All ${limit} ${QUOTA_UNITS[kind]} of this ${allowance?.per ?? 'month'} are used; more from ${toRfc3339(resets)}.`,
    { kind, used: limit, limit, reset_at: toRfc3339(resets), retry_after_ms: resets - now },
  )
}
