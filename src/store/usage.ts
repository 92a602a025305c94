// The usage of an account in this month and on this day. Counting and refusing are one statement. A clock that is
// behind by up to a day counts into the newer period that another node has begun, so a quota is not given back around
// midnight. A period further ahead was begun by a wrong clock and counts as over.

import type { Allowance, QuotaKind } from '../contract/limits.ts'
import type { UserId } from '../domain/caller.ts'
import { DAY_SECONDS, type Instant, plusSeconds, yearMonth, yearMonthDay } from '../domain/instant.ts'
import type { Reader, Writer } from './engine/database.ts'
import { type Sql, sql } from './engine/sql.ts'

// The kinds of a plan's quotas, and those that only bound abuse.
export type UsageKind = QuotaKind | 'email_confirmations' | 'poll_requests' | 'push_messages'
export type Used = Record<Allowance['per'], number>

// Returns false if the limit is reached. Does not return the new count: `returning` doubles the cost on SQLite.
export async function incrementUsage(
  tx: Writer,
  userId: UserId,
  kind: UsageKind,
  allowance: Allowance | null,
  now: Instant,
): Promise<boolean> {
  if (allowance?.limit === 0) return false
  const increment = incrementing(userId, kind, allowance, now)
  if (allowance) return (await tx.execute(increment)) === 1
  // Without a limit the statement cannot refuse, so its result is not awaited.
  tx.queue(increment)
  return true
}

// Returns what is used then, or undefined if the limit is reached. On PostgreSQL both statements are one round trip; on
// SQLite they cost less than one with `returning`.
export async function incrementAndReadUsage(
  tx: Writer,
  userId: UserId,
  kind: UsageKind,
  allowance: Allowance | null,
  now: Instant,
): Promise<Used | undefined> {
  const [isCounted, used] = await Promise.all([
    incrementUsage(tx, userId, kind, allowance, now),
    tx.first<Used>(
      sql`select month_used as month, day_used as day from usage where user_id = ${userId} and kind = ${kind}`,
    ),
  ])
  return isCounted ? used : undefined
}

function incrementing(userId: UserId, kind: UsageKind, allowance: Allowance | null, now: Instant): Sql {
  const { month, lastMonth, day, lastDay } = currentPeriods(now)
  const sameMonth = sql`usage.month between ${month} and ${lastMonth}`
  const sameDay = sql`usage.day between ${day} and ${lastDay}`
  return sql`insert into usage (user_id, kind, month, month_used, day, day_used)
    values (${userId}, ${kind}, ${month}, 1, ${day}, 1)
    on conflict (user_id, kind) do update set
      month_used = case when ${sameMonth} then usage.month_used + 1 else 1 end,
      month = case when ${sameMonth} then usage.month else excluded.month end,
      day_used = case when ${sameDay} then usage.day_used + 1 else 1 end,
      day = case when ${sameDay} then usage.day else excluded.day end
    ${unlessSpent(allowance, { sameMonth, sameDay })}`
}

function unlessSpent(allowance: Allowance | null, { sameMonth, sameDay }: Record<'sameMonth' | 'sameDay', Sql>): Sql {
  if (!allowance) return sql``
  const { limit, per } = allowance
  return per === 'day'
    ? sql`where not (${sameDay}) or usage.day_used < ${limit}`
    : sql`where not (${sameMonth}) or usage.month_used < ${limit}`
}

// The current periods, and the latest ones that a node whose clock is ahead may have begun.
function currentPeriods(now: Instant) {
  const tomorrow = plusSeconds(now, DAY_SECONDS)
  return {
    month: yearMonth(now),
    lastMonth: yearMonth(tomorrow),
    day: yearMonthDay(now),
    lastDay: yearMonthDay(tomorrow),
  }
}

export async function findUsage(db: Reader, userId: UserId, kind: UsageKind, now: Instant): Promise<Used> {
  const row = await db.first<UsageRow>(
    sql`select kind, month, month_used, day, day_used from usage where user_id = ${userId} and kind = ${kind}`,
  )
  return row ? toUsed(row, now) : NO_USAGE
}

export async function listUsage(db: Reader, userId: UserId, now: Instant): Promise<(kind: UsageKind) => Used> {
  const rows = await db.all<UsageRow>(
    sql`select kind, month, month_used, day, day_used from usage where user_id = ${userId}`,
  )
  const used = new Map(rows.map((row) => [row.kind, toUsed(row, now)]))
  return (kind) => used.get(kind) ?? NO_USAGE
}

const NO_USAGE: Used = { month: 0, day: 0 }

type UsageRow = { kind: UsageKind; month: number; month_used: number; day: number; day_used: number }

function toUsed(row: UsageRow, now: Instant): Used {
  const { month, lastMonth, day, lastDay } = currentPeriods(now)
  return {
    month: row.month >= month && row.month <= lastMonth ? row.month_used : 0,
    day: row.day >= day && row.day <= lastDay ? row.day_used : 0,
  }
}
