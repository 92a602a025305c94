// Counts of what the devices of accounts have taken, by day and outcome.
import { LIMITS } from '../../contract/limits.ts'
import type { DailyDelivery } from '../../domain/accounts/daily-counts.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

// Devices can be registered and removed without end: beyond a number of rows a day, new ones are not counted. Counts of an
// account that was deleted since are dropped.
export async function addDailyDelivery(
  tx: Writer,
  { userId, day, deviceId, outcome, count }: DailyDelivery & { userId: UserId },
): Promise<void> {
  tx.queue(sql`insert into daily_deliveries (user_id, day, device_id, outcome, count)
    select id, cast(${day} as bigint), cast(${deviceId} as text), cast(${outcome} as text), cast(${count} as bigint)
    from users where id = ${userId} and (
      (select count(*) from daily_deliveries where user_id = ${userId} and day = ${day})
        < ${LIMITS.dailyCounts.maxDeliveriesPerDay}
      or exists (select 1 from daily_deliveries where user_id = ${userId} and day = ${day}
        and device_id = ${deviceId} and outcome = ${outcome}))
    on conflict (user_id, day, device_id, outcome) do update set count = daily_deliveries.count + excluded.count`)
}

// Added up over the days from `from` on, for the devices that the account has.
export async function listDeliveries(
  db: Reader,
  userId: UserId,
  { from }: { from: number },
): Promise<Omit<DailyDelivery, 'day'>[]> {
  return db.all<
    Omit<DailyDelivery, 'day'>
  >(sql`select c.device_id as "deviceId", c.outcome, cast(sum(c.count) as bigint) as count
    from daily_deliveries c join devices d on d.user_id = c.user_id and d.id = c.device_id
    where c.user_id = ${userId} and c.day >= ${from} group by c.device_id, c.outcome order by c.device_id, c.outcome`)
}

export async function deleteDailyDeliveriesBefore(tx: Writer, day: number, limit: number): Promise<number> {
  return tx.execute(sql`delete from daily_deliveries where (user_id, day, device_id, outcome) in
    (select user_id, day, device_id, outcome from daily_deliveries where day < ${day} limit ${limit})`)
}
