// What belongs to the server and its nodes: jobs, open requests, counters, secrets and clocks.
import { IDENTITY, sql } from '../../engine/sql.ts'

export const server = [
  sql`create table jobs (
    id ${IDENTITY},
    kind text not null,
    key text unique,
    payload text not null,
    run_at bigint not null,
    attempt bigint not null,
    failures bigint not null default 0,
    accepted_at bigint
  )`,
  // Jobs are claimed kind by kind.
  sql`create index jobs_by_kind on jobs (kind, run_at)`,
  sql`create index jobs_by_acceptance on jobs (kind, accepted_at) where accepted_at is not null`,
  sql`create table open_waits (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    held_by text not null,
    key_id text,
    expires_at bigint not null
  )`,
  sql`create index open_waits_by_user on open_waits (user_id)`,
  // No foreign key to devices: deleting the device must not take its open stream out of the count.
  sql`create table event_streams (
    id text primary key,
    node text not null,
    user_id text not null references users (id) on delete cascade,
    device_id text,
    begins_after bigint not null,
    written bigint not null,
    expires_at bigint not null
  )`,
  sql`create index event_streams_by_user on event_streams (user_id)`,
  sql`create index event_streams_by_node on event_streams (node)`,
  sql`create table rate_counters (
    address text not null,
    window_start bigint not null,
    count bigint not null,
    primary key (address, window_start)
  )`,
  sql`create table channel_nodes (
    channel text primary key,
    seen_at bigint not null
  )`,
  sql`create table service_alive (
    id bigint primary key,
    stamped_at bigint not null
  )`,
  // One row: when retention last ran, so that a clock that leaps ahead does not empty inboxes.
  sql`create table retention_clock (
    id bigint primary key,
    last_run_at bigint not null,
    trusted_from bigint not null
  )`,
  // VAPID and signing keys that all nodes share. With SQLite they are files of the data folder instead.
  sql`create table server_secrets (
    name text primary key,
    value text not null
  )`,
]
