// Counts a change against the quota, in the transaction of the change, and tells what an account has used.
import type { QuotaKind } from '../contract/limits.ts'
import type { AccountUsage } from '../domain/accounts/account.ts'
import { type QuotaEffect, quotaExceeded, resetAt } from '../domain/accounts/quota.ts'
import type { Caller, Sender, UserId } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import type { Plan } from '../domain/plans.ts'
import type { Reader, Writer } from '../store/engine/database.ts'
import { findUsage, incrementAndReadUsage, incrementUsage, listUsage, type Used } from '../store/usage.ts'
import type { Context } from './context.ts'

export async function charge(
  tx: Writer,
  { userId, plan }: Pick<Sender, 'userId' | 'plan'>,
  kind: QuotaKind,
  now: Instant,
): Promise<void> {
  const isCounted = await incrementUsage(tx, userId, kind, plan.quotas[kind], now)
  // Nothing has been written, so a caller that catches this can continue the transaction.
  if (!isCounted) throw quotaExceeded(plan, kind, now)
}

// For doors whose answers report the remaining quota. A read after the commit would cost more.
export async function chargeAndReport(
  tx: Writer,
  { userId, plan }: Pick<Sender, 'userId' | 'plan'>,
  kind: QuotaKind,
  now: Instant,
): Promise<QuotaEffect> {
  const used = await incrementAndReadUsage(tx, userId, kind, plan.quotas[kind], now)
  if (!used) throw quotaExceeded(plan, kind, now)
  return effectOf(plan, kind, used, 1)
}

// Includes what the same transaction has charged.
export async function quotaEffect(
  db: Reader,
  { userId, plan }: Pick<Sender, 'userId' | 'plan'>,
  kind: QuotaKind,
  now: Instant,
  cost = 1,
): Promise<QuotaEffect> {
  return effectOf(plan, kind, await findUsage(db, userId, kind, now), cost)
}

function effectOf(plan: Plan, kind: QuotaKind, used: Used, cost: number): QuotaEffect {
  const allowance = plan.quotas[kind]
  return { kind, cost, used: used[allowance?.per ?? 'month'], limit: allowance?.limit ?? null }
}

export type QuotaUsage = { used: number; limit: number | null; resetsAt: Instant }

export async function describeOwnQuota(ctx: Context, caller: Caller, kind: QuotaKind): Promise<QuotaUsage> {
  return usageAfter(ctx, caller, await quotaEffect(ctx.db.read, caller, kind, ctx.clock.now()))
}

// `charge`: what a change has just been charged, so that the usage need not be read again.
export function usageAfter({ clock }: Context, { plan }: Caller, charge: QuotaEffect): QuotaUsage {
  const { kind, used, limit } = charge
  return { used, limit, resetsAt: resetAt(plan.quotas[kind], clock.now()) }
}

export async function describeUsage(
  db: Reader,
  { id, plan }: { id: UserId; plan: Plan },
  now: Instant,
): Promise<AccountUsage> {
  const used = await listUsage(db, id, now)
  const usageOf = (kind: QuotaKind) => {
    const allowance = plan.quotas[kind]
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
