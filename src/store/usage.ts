// What an account has used in this month and on this day. Counting and refusing are one statement. A period never goes back:
// a node whose clock is behind, or was set back, counts into the newest period that any node has begun.
import type { Allowance, QuotaKind } from '../contract/limits.ts'
import type { UserId } from '../domain/caller.ts'
import { type Instant, yearMonth, yearMonthDay } from '../domain/instant.ts'
import type { Reader, Writer } from './database.ts'
import { type Sql, sql } from './sql.ts'

// What a plan allows, and what is counted for no plan but to bound abuse.
export type UsageKind = QuotaKind | 'email_confirmations'
export type Used = Record<Allowance['per'], number>

// False when the limit is reached. It does not say the count, which few want to know: `returning` takes SQLite as long as
// all the rest of it.
export async function incrementUsage(
  tx: Writer,
  userId: UserId,
  kind: UsageKind,
  allowance: Allowance | null,
  now: Instant,
): Promise<boolean> {
  if (allowance?.limit === 0) return false
  const [month, day] = [yearMonth(now), yearMonthDay(now)]
  const changed = await tx.run(sql`insert into usage (user_id, kind, month, month_used, day, day_used)
    values (${userId}, ${kind}, ${month}, 1, ${day}, 1)
    on conflict (user_id, kind) do update set
      month_used = case when usage.month < excluded.month then 1 else usage.month_used + 1 end,
      month = case when usage.month < excluded.month then excluded.month else usage.month end,
      day_used = case when usage.day < excluded.day then 1 else usage.day_used + 1 end,
      day = case when usage.day < excluded.day then excluded.day else usage.day end
    ${unlessSpent(allowance)}`)
  return changed === 1
}

function unlessSpent(allowance: Allowance | null): Sql {
  if (!allowance) return sql``
  const { limit, per } = allowance
  return per === 'day'
    ? sql`where usage.day < excluded.day or usage.day_used < ${limit}`
    : sql`where usage.month < excluded.month or usage.month_used < ${limit}`
}

export async function findUsage(db: Reader, userId: UserId, kind: UsageKind, now: Instant): Promise<Used> {
  const row = await db.first<UsageRow>(
    sql`select kind, month, month_used, day, day_used from usage where user_id = ${userId} and kind = ${kind}`,
  )
  return row ? toUsed(row, now) : NOTHING
}

export async function listUsage(db: Reader, userId: UserId, now: Instant): Promise<(kind: UsageKind) => Used> {
  const rows = await db.all<UsageRow>(
    sql`select kind, month, month_used, day, day_used from usage where user_id = ${userId}`,
  )
  const used = new Map(rows.map((row) => [row.kind, toUsed(row, now)]))
  return (kind) => used.get(kind) ?? NOTHING
}

const NOTHING: Used = { month: 0, day: 0 }

type UsageRow = { kind: UsageKind; month: number; month_used: number; day: number; day_used: number }

const toUsed = (row: UsageRow, now: Instant): Used => ({
  month: row.month < yearMonth(now) ? 0 : row.month_used,
  day: row.day < yearMonthDay(now) ? 0 : row.day_used,
})
