// Clients of Gotify, and the numbers of repeated alerts.
import { IDENTITY, sql } from '../engine/sql.ts'

export const statements = [
  sql`create table gotify_clients (
    number ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    device_id text not null,
    token_hash text not null unique references tokens (hash) on delete cascade,
    name text not null,
    created_at bigint not null
  )`,
  sql`create index gotify_clients_by_device on gotify_clients (user_id, device_id)`,
  sql`create table gotify_repeats (
    number bigint primary key,
    user_id text not null references users (id) on delete cascade,
    notification_id bigint not null references notifications (id) on delete cascade,
    repeat bigint not null,
    unique (notification_id, repeat)
  )`,
  sql`create index gotify_repeats_by_user on gotify_repeats (user_id)`,
]
