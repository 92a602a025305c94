// Counts a change against the quota, in the transaction of the change.
import { type Plan, QUOTAS, type QuotaKind } from '../contract/limits.ts'
import type { Sender } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import { type QuotaEffect, quotaExceeded } from '../domain/accounts/quota.ts'
import type { Reader, Writer } from '../store/engine/database.ts'
import { findUsage, incrementAndReadUsage, incrementUsage, type Used } from '../store/usage.ts'

export async function charge(
  tx: Writer,
  { userId, plan }: Pick<Sender, 'userId' | 'plan'>,
  kind: QuotaKind,
  now: Instant,
): Promise<void> {
  const isCounted = await incrementUsage(tx, userId, kind, QUOTAS[plan][kind], now)
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
  const used = await incrementAndReadUsage(tx, userId, kind, QUOTAS[plan][kind], now)
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
  const allowance = QUOTAS[plan][kind]
  return { kind, cost, used: used[allowance?.per ?? 'month'], limit: allowance?.limit ?? null }
}
