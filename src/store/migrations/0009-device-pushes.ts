// What changes with every push apart from what hardly ever does: addresses can then be remembered.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table device_pushes (
    user_id text not null,
    device_id text not null,
    at bigint,
    error text,
    primary key (user_id, device_id),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`insert into device_pushes (user_id, device_id, at, error)
    select user_id, id, last_push_at, last_push_error from devices`,
  sql`alter table devices drop column last_push_at`,
  sql`alter table devices drop column last_push_error`,
]
