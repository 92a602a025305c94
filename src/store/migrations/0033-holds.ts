// What holds pushes back: quiet hours with the notifications that their digest tells, and storm shields.
import { sql } from '../engine/sql.ts'

export const statements = [
  // Read with the token of every request, so an account without mutes and quiet hours reads neither table.
  sql`alter table users add column holds_pushes bigint not null default 0`,
  sql`update users set holds_pushes = 1 where id in (select user_id from mutes)`,
  sql`create table quiet_hours (
    user_id text primary key references users (id) on delete cascade,
    timezone text not null,
    windows text not null,
    passes text not null,
    digest bigint not null,
    until bigint
  )`,
  // No foreign key to notifications: it would cost every deletion of an inbox row. Digests skip notifications that are gone.
  sql`create table held_notifications (
    user_id text not null references users (id) on delete cascade,
    notification_id bigint not null,
    primary key (user_id, notification_id)
  )`,
  sql`alter table integration_keys add column storm_limit bigint`,
  sql`alter table hooks add column storm_limit bigint default 30`,
  sql`create table storms (
    shield_id text primary key,
    user_id text not null references users (id) on delete cascade,
    pushes text not null,
    held bigint not null default 0,
    held_level bigint not null default 0,
    held_newest bigint
  )`,
  sql`create index storms_by_user on storms (user_id)`,
]
