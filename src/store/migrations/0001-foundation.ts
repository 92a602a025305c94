// Accounts, tokens, integration keys, usage, widgets, jobs, shared rate counters.
// One dialect for both databases: instants and counts bigint, booleans 0/1, documents JSON text, ids text.
import { IDENTITY, sql } from '../engine/sql.ts'

export const statements = [
  sql`create table users (
    id text primary key,
    name text not null unique,
    nickname text,
    plan text not null,
    created_at bigint not null
  )`,
  sql`create table tokens (
    hash text primary key,
    kind text not null,
    user_id text not null references users (id) on delete cascade,
    device_id text,
    created_at bigint not null
  )`,
  sql`create index tokens_by_user on tokens (user_id)`,
  sql`create table sign_in_codes (
    hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at bigint not null
  )`,
  sql`create index sign_in_codes_by_expiry on sign_in_codes (expires_at)`,
  sql`create table integration_keys (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    hash text not null unique,
    name text not null,
    is_default bigint not null,
    permissions text not null,
    activity_slugs text not null,
    widget_slugs text not null,
    expires_at bigint,
    last_used_at bigint,
    created_at bigint not null
  )`,
  sql`create index integration_keys_by_user on integration_keys (user_id, created_at)`,
  sql`create unique index integration_keys_default on integration_keys (user_id) where is_default = 1`,
  sql`create table usage (
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    period bigint not null,
    used bigint not null,
    primary key (user_id, kind, period)
  )`,
  sql`create table widgets (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    slug text not null,
    name text not null,
    content text not null,
    push_throttle_seconds bigint,
    stale_after_seconds bigint,
    last_pushed_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    unique (user_id, slug)
  )`,
  sql`create table jobs (
    id ${IDENTITY},
    kind text not null,
    key text unique,
    payload text not null,
    run_at bigint not null,
    attempt bigint not null
  )`,
  sql`create index jobs_by_run_at on jobs (run_at)`,
  sql`create table rate_counters (
    address text not null,
    window_start bigint not null,
    count bigint not null,
    primary key (address, window_start)
  )`,
]
