// What an account has used: one row per kind that begins anew with the month and the day, instead of a row for each.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table usage_now (
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    month bigint not null,
    month_used bigint not null,
    day bigint not null,
    day_used bigint not null,
    primary key (user_id, kind)
  )`,
  // Months have six digits and days eight. What is of an earlier one counts for nothing, so the newest will do.
  sql`insert into usage_now (user_id, kind, month, month_used, day, day_used)
    select user_id, kind,
      coalesce((select max(m.period) from usage m where m.user_id = u.user_id and m.kind = u.kind and m.period < 1000000), 0),
      0,
      coalesce((select max(d.period) from usage d where d.user_id = u.user_id and d.kind = u.kind and d.period > 999999), 0),
      0
    from usage u group by user_id, kind`,
  sql`update usage_now set
    month_used = coalesce((select used from usage u
      where u.user_id = usage_now.user_id and u.kind = usage_now.kind and u.period = usage_now.month), 0),
    day_used = coalesce((select used from usage u
      where u.user_id = usage_now.user_id and u.kind = usage_now.kind and u.period = usage_now.day), 0)`,
  sql`drop table usage`,
  sql`alter table usage_now rename to usage`,
]
