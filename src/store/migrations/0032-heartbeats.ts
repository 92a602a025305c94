// Heartbeats, their last pings, and when the service was last alive.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table heartbeats (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    slug text not null,
    token text not null unique,
    settings text not null,
    target_ids text,
    status text not null,
    last_ping_at bigint,
    last_success_at bigint,
    last_duration_ms bigint,
    due_at bigint,
    runs text not null,
    run_until bigint,
    down_since bigint,
    alert_id bigint,
    pings bigint not null,
    minute_start bigint not null default 0,
    minute_pings bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    unique (user_id, slug)
  )`,
  // A ring: the ping with the number n replaces the one a hundred before it, so no deletion is needed.
  sql`create table heartbeat_pings (
    heartbeat_id text not null references heartbeats (id) on delete cascade,
    slot bigint not null,
    user_id text not null references users (id) on delete cascade,
    number bigint not null,
    at bigint not null,
    kind text not null,
    exit_status bigint,
    duration_ms bigint,
    body text not null,
    from_address text not null,
    primary key (heartbeat_id, slot)
  )`,
  sql`create index heartbeat_pings_by_user on heartbeat_pings (user_id)`,
  sql`create table service_alive (
    id bigint primary key,
    stamped_at bigint not null
  )`,
]
