// Devices, and the addresses at which they are reached.
import { sql } from '../../engine/sql.ts'

export const devices = [
  sql`create table devices (
    user_id text not null references users (id) on delete cascade,
    id text not null,
    name text not null,
    platform text not null,
    tags text not null,
    options text not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    primary key (user_id, id)
  )`,
  // The tags of devices.tags, a row for each, so that devices are found by tag.
  sql`create table device_tags (
    user_id text not null,
    device_id text not null,
    tag text not null,
    primary key (user_id, device_id, tag),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`create index device_tags_by_tag on device_tags (tag, user_id)`,
  // Changes with every push, so it is apart from the columns of devices, which are cached.
  sql`create table device_pushes (
    user_id text not null,
    device_id text not null,
    at bigint,
    error text,
    primary key (user_id, device_id),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  // Kinds that are not about an activity have '' as activity_id, because it is part of the primary key.
  sql`create table push_tokens (
    user_id text not null,
    device_id text not null,
    kind text not null,
    activity_id text not null,
    token text not null,
    environment text,
    p256dh text,
    auth text,
    registered_at bigint not null,
    primary key (user_id, device_id, kind, activity_id),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`create unique index push_tokens_by_token on push_tokens (kind, token)`,
  sql`create index push_tokens_of_activities on push_tokens (registered_at) where kind = 'activity'`,
  sql`create table app_topics (
    user_id text not null,
    device_id text not null,
    topic text not null,
    url text not null,
    primary key (user_id, device_id, topic, url),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`create table app_links (
    user_id text not null,
    device_id text not null,
    kind text not null,
    host text,
    sealed text,
    code_hash text,
    open_until bigint,
    key_hash text,
    refusals int not null,
    asks text not null,
    removal_asked_at bigint,
    removal_notice_id bigint,
    ended_at bigint,
    withdrawals int not null default 0,
    withdrawals_hour bigint,
    primary key (user_id, device_id),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  // No foreign keys: a row outlives its device and account, so that senders learn that it is gone.
  sql`create table push_endpoints (
    id text primary key,
    name_hash text not null unique,
    user_id text not null,
    device_id text not null,
    prefix text not null,
    created_at bigint not null,
    seen_at bigint not null,
    ended_at bigint,
    fingerprint text,
    subject text,
    pinned bigint not null,
    tokens double precision not null,
    refilled_at bigint not null,
    last_message_at bigint,
    day bigint not null,
    messages_today bigint not null
  )`,
  sql`create index push_endpoints_by_device on push_endpoints (user_id, device_id)`,
  sql`create table push_messages (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    endpoint_id text not null references push_endpoints (id) on delete cascade,
    topic text,
    body text not null,
    priority bigint not null,
    expires_at bigint not null
  )`,
  sql`create index push_messages_by_endpoint on push_messages (endpoint_id, topic)`,
  sql`create index push_messages_by_user on push_messages (user_id)`,
  sql`create index push_messages_by_expiry on push_messages (expires_at)`,
  sql`create unique index app_links_by_code on app_links (code_hash)`,
  sql`create index app_links_by_key on app_links (key_hash)`,
]
