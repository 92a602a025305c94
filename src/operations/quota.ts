// Counts a change against the quota, in the transaction of the change.
import { QUOTAS, type QuotaKind } from '../contract/limits.ts'
import type { Sender } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import { type QuotaEffect, quotaExceeded } from '../domain/quota.ts'
import type { Reader, Writer } from '../store/engine/database.ts'
import { findUsage, incrementUsage } from '../store/usage.ts'

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

// Includes what the same transaction has charged.
export async function quotaEffect(
  db: Reader,
  { userId, plan }: Pick<Sender, 'userId' | 'plan'>,
  kind: QuotaKind,
  now: Instant,
  cost = 1,
): Promise<QuotaEffect> {
  const allowance = QUOTAS[plan][kind]
  const used = await findUsage(db, userId, kind, now)
  return { kind, cost, used: used[allowance?.per ?? 'month'], limit: allowance?.limit ?? null }
}
