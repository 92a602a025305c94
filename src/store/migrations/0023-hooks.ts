// Webhooks: addresses for the requests of other programs, and the last requests that each of them got.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table hooks (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text not null references integration_keys (id) on delete cascade,
    name text not null,
    kind text not null,
    hash text not null unique,
    secret text,
    template text,
    options text not null,
    requests bigint not null,
    created_at bigint not null,
    last_received_at bigint
  )`,
  sql`create index hooks_by_user on hooks (user_id, created_at)`,
  sql`create index hooks_by_key on hooks (key_id)`,
  sql`create table hook_requests (
    hook_id text not null references hooks (id) on delete cascade,
    number bigint not null,
    user_id text not null references users (id) on delete cascade,
    received_at bigint not null,
    method text not null,
    headers text not null,
    query text not null,
    body text not null,
    body_encoding text not null,
    body_bytes bigint not null,
    outcome text not null,
    primary key (hook_id, number)
  )`,
  sql`create index hook_requests_by_user on hook_requests (user_id)`,
  sql`create index hook_requests_by_time on hook_requests (received_at)`,
]
