// Accounts and how people sign in; what each account uses and counts.
import { ROOM_TO_UPDATE, sql } from '../../engine/sql.ts'

export const accounts = [
  sql`create table users (
    id text primary key,
    kind text not null default 'person'
      check (kind = 'person' or kind = 'organization' or kind = 'closed-organization'),
    name text not null unique,
    nickname text,
    plan text not null,
    is_operator bigint not null default 0,
    holds_pushes bigint not null default 0,
    sponsor_id text,
    created_at bigint not null
  )`,
  sql`create index users_by_sponsor on users (sponsor_id)`,
  sql`create table tokens (
    hash text primary key,
    id text not null unique,
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    device_id text,
    name text,
    is_console bigint not null default 0,
    created_at bigint not null,
    last_used_at bigint
  )`,
  sql`create index tokens_by_user on tokens (user_id)`,
  sql`create table sign_in_codes (
    hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at bigint
  )`,
  sql`create index sign_in_codes_by_user on sign_in_codes (user_id)`,
  sql`create index sign_in_codes_by_expiry on sign_in_codes (expires_at) where expires_at is not null`,
  sql`create table sign_in_requests (
    id text primary key,
    code text not null unique,
    secret_hash text not null,
    browser text,
    address text not null,
    user_id text references users (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  sql`create index sign_in_requests_by_user on sign_in_requests (user_id)`,
  sql`create index sign_in_requests_by_expiry on sign_in_requests (expires_at)`,
  // What strangers may do a few times a day, who have no account that it could be counted in.
  sql`create table daily_limits (
    key text not null,
    day bigint not null,
    used bigint not null,
    primary key (key, day)
  )`,
  sql`create table passkeys (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    credential_id text not null unique,
    public_key text not null,
    counter bigint not null,
    is_synced bigint not null,
    transports text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  sql`create index passkeys_by_user on passkeys (user_id, created_at)`,
  // The foreign key is checked at the commit: this row decides which of two concurrent first sign-ins creates the account, so
  // it is inserted before the account.
  sql`create table apple_identities (
    subject text primary key,
    user_id text not null references users (id) on delete cascade deferrable initially deferred,
    created_at bigint not null
  )`,
  sql`create index apple_identities_by_user on apple_identities (user_id)`,
  sql`create table used_nonces (
    hash text primary key,
    expires_at bigint not null
  )`,
  sql`create index used_nonces_by_expiry on used_nonces (expires_at)`,
  sql`create table idempotency_keys (
    owner text not null,
    route text not null,
    key text not null,
    user_id text not null references users (id) on delete cascade,
    body_hash text not null,
    resource_id bigint,
    answer text,
    created_at bigint not null,
    primary key (owner, route, key)
  )`,
  sql`create index idempotency_keys_by_user on idempotency_keys (user_id)`,
  sql`create index idempotency_keys_by_time on idempotency_keys (created_at)`,
  sql`create table usage (
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    month bigint not null,
    month_used bigint not null,
    day bigint not null,
    day_used bigint not null,
    primary key (user_id, kind)
  ) ${ROOM_TO_UPDATE}`,
  // A send without a key or a source has '' there, because both are part of the primary key.
  sql`create table daily_counts (
    user_id text not null references users (id) on delete cascade,
    day bigint not null,
    key_id text not null,
    source text not null,
    outcome text not null,
    count bigint not null,
    primary key (user_id, day, key_id, source, outcome)
  ) ${ROOM_TO_UPDATE}`,
  sql`create index daily_counts_by_day on daily_counts (day)`,
  sql`create table daily_deliveries (
    user_id text not null references users (id) on delete cascade,
    day bigint not null,
    device_id text not null,
    outcome text not null,
    count bigint not null,
    primary key (user_id, day, device_id, outcome)
  ) ${ROOM_TO_UPDATE}`,
  sql`create index daily_deliveries_by_day on daily_deliveries (day)`,
]
