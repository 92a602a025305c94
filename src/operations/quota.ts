// Pays for a change in the transaction that makes it: counted if and only if the change is.
import type { QuotaKind } from '../contract/limits.ts'
import type { Caller } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import { chargesFor, quotaExceeded } from '../domain/quota.ts'
import type { Writer } from '../store/database.ts'
import { incrementUsage } from '../store/usage.ts'

export type QuotaEffect = { kind: QuotaKind; cost: number; used: number; limit: number | null }

export async function charge(tx: Writer, caller: Caller, kind: QuotaKind, now: Instant): Promise<QuotaEffect> {
  const [capped, ...others] = chargesFor(caller.plan, kind, now)
  const used = capped && (await incrementUsage(tx, caller.userId, kind, capped))
  if (!used) throw quotaExceeded(caller.plan, kind, now)
  for (const other of others) await incrementUsage(tx, caller.userId, kind, other)
  return { kind, cost: 1, used, limit: capped.limit }
}
