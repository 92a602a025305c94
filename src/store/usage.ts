// What an account has used in a month or a day. Counting and refusing are one statement.
import type { QuotaKind } from '../contract/limits.ts'
import type { UserId } from '../domain/caller.ts'
import type { Charge } from '../domain/quota.ts'
import type { Reader, Writer } from './database.ts'
import { sql } from './sql.ts'

// What a plan allows, and what is counted for no plan but to bound abuse.
export type UsageKind = QuotaKind | 'email_confirmations'

// The new count, or nothing when the limit is reached.
export async function incrementUsage(
  tx: Writer,
  userId: UserId,
  kind: UsageKind,
  charge: Charge,
): Promise<number | undefined> {
  if (charge.limit === 0) return undefined
  const row = await tx.first<{ used: number }>(sql`insert into usage (user_id, kind, period, used)
    values (${userId}, ${kind}, ${charge.period}, 1)
    on conflict (user_id, kind, period) do update set used = usage.used + 1
      where usage.used < ${charge.limit ?? Number.MAX_SAFE_INTEGER}
    returning used`)
  return row?.used
}

// Counted beside, without a limit.
export async function noteUsage(tx: Writer, userId: UserId, kind: UsageKind, period: number): Promise<void> {
  tx.write(sql`insert into usage (user_id, kind, period, used) values (${userId}, ${kind}, ${period}, 1)
    on conflict (user_id, kind, period) do update set used = usage.used + 1`)
}

export async function findUsage(db: Reader, userId: UserId, kind: QuotaKind, period: number): Promise<number> {
  const row = await db.first<{ used: number }>(
    sql`select used from usage where user_id = ${userId} and kind = ${kind} and period = ${period}`,
  )
  return row?.used ?? 0
}

export async function listUsage(db: Reader, userId: UserId, periods: [number, number]): Promise<UsageRow[]> {
  return db.all<UsageRow>(sql`select kind, period, used from usage
    where user_id = ${userId} and period in (${periods[0]}, ${periods[1]}) order by kind, period`)
}

// Days (8 digits) and months (6 digits) each sort in time.
export async function deleteUsageBefore(tx: Writer, month: number, day: number): Promise<number> {
  return tx.run(sql`delete from usage where period < ${month} or (period > 999999 and period < ${day})`)
}

export type UsageRow = { kind: UsageKind; period: number; used: number }
