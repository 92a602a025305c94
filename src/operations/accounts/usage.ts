// What an account has used of its quotas.
import { type Plan, QUOTAS, type QuotaKind } from '../../contract/limits.ts'
import type { AccountUsage } from '../../domain/accounts/account.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { type QuotaEffect, resetAt } from '../../domain/accounts/quota.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listUsage } from '../../store/usage.ts'
import type { Context } from '../context.ts'
import { quotaEffect } from '../quota.ts'

export type QuotaUsage = { used: number; limit: number | null; resetsAt: Instant }

export async function describeOwnQuota(ctx: Context, caller: Caller, kind: QuotaKind): Promise<QuotaUsage> {
  return usageAfter(ctx, caller, await quotaEffect(ctx.db.read, caller, kind, ctx.clock.now()))
}

// `charge`: what a change has just been charged, so that the usage need not be read again.
export function usageAfter({ clock }: Context, { plan }: Caller, charge: QuotaEffect): QuotaUsage {
  const { kind, used, limit } = charge
  return { used, limit, resetsAt: resetAt(QUOTAS[plan][kind], clock.now()) }
}

export async function describeUsage(
  db: Reader,
  { id, plan }: { id: UserId; plan: Plan },
  now: Instant,
): Promise<AccountUsage> {
  const used = await listUsage(db, id, now)
  const usageOf = (kind: QuotaKind) => {
    const allowance = QUOTAS[plan][kind]
    return { used: used(kind)[allowance?.per ?? 'month'], limit: allowance?.limit ?? null }
  }
  return {
    plan,
    usage: {
      notifications: usageOf('notifications'),
      live_activity_updates: usageOf('live_activity_updates'),
      widget_updates: usageOf('widget_updates'),
      emails: usageOf('emails'),
    },
    notificationsThisMonth: used('notifications').month,
    now,
  }
}
