// Programs that send: integration keys, their forms for senders of other services, webhooks and e-mail.
import { IDENTITY, ROOM_TO_UPDATE, sql } from '../../engine/sql.ts'

export const senders = [
  sql`create table integration_keys (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    hash text not null unique,
    name text not null,
    is_default bigint not null,
    permissions text not null,
    activity_slugs text not null,
    widget_slugs text not null,
    target text,
    storm_limit bigint,
    sound text,
    expires_at bigint,
    last_used_at bigint,
    created_at bigint not null
  ) ${ROOM_TO_UPDATE}`,
  sql`create index integration_keys_by_user on integration_keys (user_id, created_at)`,
  sql`create unique index integration_keys_default on integration_keys (user_id) where is_default = 1`,
  sql`create table key_aliases (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text not null references integration_keys (id) on delete cascade,
    door text not null,
    hash text not null unique,
    created_at bigint not null
  )`,
  sql`create index key_aliases_by_user on key_aliases (user_id)`,
  sql`create index key_aliases_by_key on key_aliases (key_id)`,
  sql`create table imported_items (
    user_id text not null references users (id) on delete cascade,
    item text not null,
    primary key (user_id, item)
  )`,
  sql`create table key_numbers (
    number ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    key_id text not null unique references integration_keys (id) on delete cascade
  )`,
  sql`create index key_numbers_by_user on key_numbers (user_id)`,
  sql`create table gotify_clients (
    number ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    device_id text not null,
    token_hash text not null unique references tokens (hash) on delete cascade,
    name text not null,
    created_at bigint not null
  )`,
  sql`create index gotify_clients_by_device on gotify_clients (user_id, device_id)`,
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
    storm_limit bigint,
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
  sql`create table email_recipients (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    address text not null,
    address_key text not null,
    confirmation_hash text not null unique,
    confirmation_expires_at bigint not null,
    verified_at bigint,
    suppressed_at bigint,
    signs_in bigint not null default 0,
    created_at bigint not null,
    unique (user_id, address_key)
  )`,
  sql`create index email_recipients_that_sign_in on email_recipients (address_key) where signs_in = 1`,
  sql`create table emails (
    id ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    key_id text,
    recipient_id text not null,
    address text not null,
    subject text not null,
    text_body text,
    html_body text,
    message_id text not null,
    status text not null check (status = 'queued' or status = 'sent' or status = 'bounced' or status = 'failed'
      or status = 'suppressed'),
    error text,
    created_at bigint not null
  )`,
  sql`create index emails_by_user on emails (user_id, id)`,
  sql`create index emails_by_time on emails (created_at)`,
]
