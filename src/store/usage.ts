// What an account has used in a month or a day. Counting and refusing are one statement.
import type { QuotaKind } from '../contract/limits.ts'
import type { UserId } from '../domain/caller.ts'
import type { Charge } from '../domain/quota.ts'
import type { Reader, Writer } from './database.ts'
import { sql } from './sql.ts'

// One more in each of the periods; only the first has a limit. Returns its new count, or nothing when the limit is
// reached; then the transaction must not be committed, because the others have been counted.
export async function incrementUsage(
  tx: Writer,
  userId: UserId,
  kind: QuotaKind,
  [capped, ...others]: [Charge, ...Charge[]],
): Promise<number | undefined> {
  if (capped.limit === 0) return undefined
  const row = (charge: Charge) => sql`(${userId}, ${kind}, ${charge.period}, 1)`
  const rows = others.reduce((all, other) => sql`${all}, ${row(other)}`, row(capped))
  const counted = await tx.all<{ period: number; used: number }>(sql`insert into usage (user_id, kind, period, used)
    values ${rows}
    on conflict (user_id, kind, period) do update set used = usage.used + 1
      where usage.period <> ${capped.period} or usage.used < ${capped.limit ?? Number.MAX_SAFE_INTEGER}
    returning period, used`)
  return counted.find(({ period }) => period === capped.period)?.used
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

export type UsageRow = { kind: QuotaKind; period: number; used: number }
