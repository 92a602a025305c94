// Heartbeats, escalation policies, and what holds pushes back: mutes, quiet hours and storm shields.
import { sql } from '../../engine/sql.ts'

export const onCall = [
  sql`create table heartbeats (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    slug text not null,
    token text not null unique,
    settings text not null,
    target_ids text,
    status text not null check (status = 'new' or status = 'up' or status = 'started' or status = 'late'
      or status = 'down' or status = 'paused'),
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
  sql`create table ping_keys (
    user_id text primary key references users (id) on delete cascade,
    ping_key text not null unique
  )`,
  sql`create table escalations (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    slug text not null,
    name text not null,
    steps text not null,
    created_at bigint not null,
    updated_at bigint not null,
    unique (user_id, slug)
  )`,
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
