// Devices and their tokens, the inbox, answers, the event feed, and what keeps sends from happening twice.
import { IDENTITY, sql } from '../engine/sql.ts'

export const statements = [
  sql`create table devices (
    user_id text not null references users (id) on delete cascade,
    id text not null,
    name text not null,
    platform text not null,
    tags text not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    last_push_at bigint,
    last_push_error text,
    primary key (user_id, id)
  )`,
  // One row per address at which a device can be reached; each lives and dies alone.
  sql`create table push_tokens (
    user_id text not null,
    device_id text not null,
    kind text not null,
    activity_slug text not null,
    token text not null,
    environment text,
    p256dh text,
    auth text,
    registered_at bigint not null,
    primary key (user_id, device_id, kind, activity_slug),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`create unique index push_tokens_by_token on push_tokens (kind, token)`,
  // One row per account that every change of its feed passes through, so that event numbers have no gaps and no
  // stragglers, and the unread count costs nothing to read.
  sql`create table feeds (
    user_id text primary key references users (id) on delete cascade,
    last_event bigint not null,
    unread bigint not null
  )`,
  sql`create table events (
    user_id text not null references users (id) on delete cascade,
    number bigint not null,
    type text not null,
    at bigint not null,
    data text not null,
    primary key (user_id, number)
  )`,
  sql`create index events_by_time on events (at)`,
  sql`create table notifications (
    id ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    key_id text,
    level text not null,
    content text not null,
    thread_id text,
    source text,
    search_text text not null,
    pushed bigint not null,
    created_at bigint not null,
    read_at bigint
  )`,
  sql`create index notifications_by_user on notifications (user_id, id)`,
  sql`create index notifications_unread on notifications (user_id, id) where read_at is null`,
  sql`create index notifications_by_time on notifications (created_at)`,
  sql`create table timeline (
    id ${IDENTITY},
    notification_id bigint not null references notifications (id) on delete cascade,
    user_id text not null,
    at bigint not null,
    event text not null,
    device text,
    detail text
  )`,
  sql`create index timeline_by_notification on timeline (notification_id, id)`,
  // Outlives its notification: the sender may read an answer for 30 days.
  sql`create table answers (
    notification_id bigint primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text,
    actions text not null,
    status text not null,
    action_id text,
    text text,
    device text,
    created_at bigint not null,
    answered_at bigint
  )`,
  sql`create index answers_by_time on answers (created_at)`,
  sql`create table open_waits (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at bigint not null
  )`,
  sql`create index open_waits_by_user on open_waits (user_id)`,
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
  sql`create index idempotency_keys_by_time on idempotency_keys (created_at)`,
  // VAPID and signing keys that all nodes share; with SQLite they are in a file of the data folder instead.
  sql`create table server_secrets (
    name text primary key,
    value text not null
  )`,
]
