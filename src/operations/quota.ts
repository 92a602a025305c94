// Pays for a change in the transaction that makes it: counted if and only if the change is.
import type { QuotaKind } from '../contract/limits.ts'
import type { Sender } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import { chargesFor, quotaExceeded } from '../domain/quota.ts'
import type { Reader, Writer } from '../store/database.ts'
import { findUsage, incrementUsage, noteUsage } from '../store/usage.ts'

export type QuotaEffect = { kind: QuotaKind; cost: number; used: number; limit: number | null }

export async function charge(
  tx: Writer,
  { userId, plan }: Pick<Sender, 'userId' | 'plan'>,
  kind: QuotaKind,
  now: Instant,
): Promise<QuotaEffect> {
  const [capped, ...others] = chargesFor(plan, kind, now)
  const used = await incrementUsage(tx, userId, kind, capped)
  // Nothing is counted yet: whoever catches this can go on in the same transaction.
  if (!used) throw quotaExceeded(plan, kind, now)
  for (const { period } of others) await noteUsage(tx, userId, kind, period)
  return { kind, cost: 1, used, limit: capped.limit }
}

// What one unit would find, for what is paid later.
export async function quotaNow(
  db: Reader,
  { userId, plan }: Pick<Sender, 'userId' | 'plan'>,
  kind: QuotaKind,
  now: Instant,
): Promise<QuotaEffect & { isUsedUp: boolean }> {
  const [{ period, limit } = { period: 0, limit: 0 }] = chargesFor(plan, kind, now)
  const used = await findUsage(db, userId, kind, period)
  return { kind, cost: 1, used, limit, isUsedUp: limit !== null && used >= limit }
}
