// Counts of what accounts have sent, by day, key, source and outcome.
import { LIMITS } from '../../contract/limits.ts'
import type { DailyCount } from '../../domain/accounts/daily-counts.ts'
import type { KeyId, UserId } from '../../domain/caller.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// Sources are chosen by senders: beyond a number of rows a day, new ones are counted without their name. Counts of an
// account that was deleted since are dropped.
export async function addDailyCount(
  tx: Writer,
  { userId, day, keyId, source, outcome, count }: DailyCount & { userId: UserId },
): Promise<void> {
  const key = keyId ?? ''
  tx.queue(sql`insert into daily_counts (user_id, day, key_id, source, outcome, count)
    select id, cast(${day} as bigint), cast(${key} as text),
      case when (select count(*) from daily_counts where user_id = ${userId} and day = ${day})
          < ${LIMITS.dailyCounts.maxPerDay}
        or exists (select 1 from daily_counts where user_id = ${userId} and day = ${day} and key_id = ${key}
          and source = ${source} and outcome = ${outcome})
        then cast(${source} as text) else '' end,
      cast(${outcome} as text), cast(${count} as bigint)
    from users where id = ${userId}
    on conflict (user_id, day, key_id, source, outcome) do update set count = daily_counts.count + excluded.count`)
}

// From `from` on and before `before`.
export async function listDailyCounts(
  db: Reader,
  userId: UserId,
  { from, before }: { from: number; before: number },
): Promise<DailyCount[]> {
  const rows = await db.all<DailyCountRow>(sql`select day, key_id, source, outcome, count from daily_counts
    where user_id = ${userId} and day >= ${from} and day < ${before}`)
  return rows.map(({ key_id, ...row }) => ({ ...row, keyId: key_id === '' ? null : key_id }))
}

export async function deleteDailyCountsBefore(tx: Writer, day: number, limit: number): Promise<number> {
  return tx.execute(sql`delete from daily_counts where (user_id, day, key_id, source, outcome) in
    (select user_id, day, key_id, source, outcome from daily_counts where day < ${day} limit ${limit})`)
}

type DailyCountRow = { day: number; key_id: KeyId | ''; source: string; outcome: string; count: number }
