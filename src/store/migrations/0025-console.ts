// What the console shows: which notifications wait for an answer, alerts by whether they have ended, sessions,
// schedules that are paused, mutes, and daily counts.
import { fragment, sql } from '../engine/sql.ts'

const NEW_UUID = fragment({
  sqlite: `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
      || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
  postgres: 'cast(gen_random_uuid() as text)',
})

export const statements = [
  // An alert waits as long as its receipt is active. Receipts are deleted after a week and answers after a month, so the
  // answer must know that there was one.
  sql`alter table answers add column has_receipt bigint not null default 0`,
  sql`update answers set has_receipt = 1
    where actions like '%"id":"pw_ack"%' or notification_id in (select notification_id from receipts)`,
  sql`create index answers_open on answers (user_id, notification_id) where status = 'pending' and has_receipt = 0`,
  sql`create index receipts_ended on receipts (user_id, notification_id) where status <> 'active'`,
  sql`create index receipts_ended_by_key on receipts (user_id, key_id, notification_id) where status <> 'active'`,
  sql`alter table tokens add column id text`,
  sql`update tokens set id = ${NEW_UUID}`,
  sql`create unique index tokens_by_id on tokens (id)`,
  sql`alter table tokens add column name text`,
  sql`alter table tokens add column is_console bigint not null default 0`,
  sql`alter table tokens add column last_used_at bigint`,
  sql`alter table schedules add column paused bigint not null default 0`,
  sql`create table mutes (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    value text not null,
    until bigint not null,
    created_at bigint not null,
    unique (user_id, kind, value)
  )`,
  sql`create index mutes_by_end on mutes (until)`,
  // Nobody's key and no source are '', because they are part of the primary key.
  sql`create table daily_counts (
    user_id text not null references users (id) on delete cascade,
    day bigint not null,
    key_id text not null,
    source text not null,
    outcome text not null,
    count bigint not null,
    primary key (user_id, day, key_id, source, outcome)
  )`,
  sql`create index daily_counts_by_day on daily_counts (day)`,
]
