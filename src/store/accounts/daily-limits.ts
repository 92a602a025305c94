// Counts of a day of what people without an account may do only a few times.
import { DAY_SECONDS, type Instant, plusSeconds, yearMonthDay } from '../../domain/instant.ts'
import type { Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// Returns false if the limit of the day is reached.
export async function countWithinLimit(tx: Writer, key: string, limit: number, now: Instant): Promise<boolean> {
  const counted =
    await tx.execute(sql`insert into daily_limits (key, day, used) values (${key}, ${yearMonthDay(now)}, 1)
    on conflict (key, day) do update set used = daily_limits.used + 1 where daily_limits.used < ${limit}`)
  return counted === 1
}

export async function deleteDailyLimits(tx: Writer, now: Instant): Promise<number> {
  return tx.execute(sql`delete from daily_limits where day < ${yearMonthDay(plusSeconds(now, -DAY_SECONDS))}`)
}
