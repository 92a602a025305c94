// Accounts that have used part of their quota.
import type { UserId } from '../../src/domain/caller.ts'
import { yearMonth, yearMonthDay } from '../../src/domain/instant.ts'
import { sql } from '../../src/store/engine/sql.ts'
import type { UsageKind } from '../../src/store/usage.ts'
import type { TestApp } from './app.ts'

// Counts all of it as used today.
export async function setUsed(
  { app, clock }: TestApp,
  { userId }: { userId: UserId },
  kind: UsageKind,
  count: number,
): Promise<void> {
  const [month, day] = [yearMonth(clock.now()), yearMonthDay(clock.now())]
  await app.ctx.db.transact((tx) =>
    tx.run(sql`insert into usage (user_id, kind, month, month_used, day, day_used)
      values (${userId}, ${kind}, ${month}, ${count}, ${day}, ${count})
      on conflict (user_id, kind) do update set month_used = ${count}, day_used = ${count}`),
  )
}
