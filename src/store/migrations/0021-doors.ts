// Doors for senders of other services: tokens of a key in the form that such senders expect, numbers of keys for those who
// know applications by integers, and what a message said beyond our own fields.
import { IDENTITY, sql } from '../engine/sql.ts'

export const statements = [
  sql`create table key_aliases (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text not null references integration_keys (id) on delete cascade,
    door text not null,
    hash text not null unique,
    created_at bigint not null
  )`,
  sql`create index key_aliases_by_key on key_aliases (key_id)`,
  sql`create index key_aliases_by_user on key_aliases (user_id)`,
  sql`create table key_numbers (
    number ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    key_id text not null unique references integration_keys (id) on delete cascade
  )`,
  sql`create index key_numbers_by_user on key_numbers (user_id)`,
  sql`create table door_records (
    notification_id bigint primary key references notifications (id) on delete cascade,
    user_id text not null,
    door text not null,
    channel text not null,
    sequence text,
    message text not null
  )`,
  sql`create index door_records_by_sequence on door_records (user_id, door, channel, sequence)
    where sequence is not null`,
]
