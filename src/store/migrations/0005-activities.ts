// Activities, what their templates accumulate, what each device shows of them; and the demonstration.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table activities (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    slug text not null,
    name text not null,
    state text not null,
    state_at bigint not null,
    run bigint not null,
    priority bigint not null,
    content text not null,
    ended_ttl_seconds bigint,
    stale_ttl_seconds bigint,
    dismissal_ttl_seconds bigint,
    ended_at bigint,
    delete_at bigint,
    alert_sound text,
    alert_version bigint,
    clock_at bigint,
    recorded bigint not null,
    push_version bigint not null,
    push_timestamp bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    unique (user_id, slug)
  )`,
  sql`create index activities_over on activities (updated_at) where state <> 'ongoing'`,
  // One row for each change, so that a change writes one point and not the whole past.
  sql`create table activity_records (
    activity_id text not null references activities (id) on delete cascade,
    number bigint not null,
    user_id text not null,
    body text not null,
    start_bytes bigint not null,
    end_bytes bigint not null,
    primary key (activity_id, number)
  )`,
  // Outlives its activity: a device that still shows a deleted one can be told when it comes back.
  sql`create table activity_screens (
    user_id text not null,
    device_id text not null,
    slug text not null,
    activity_id text not null,
    run bigint not null,
    version bigint not null,
    primary key (user_id, device_id, slug),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`create index activity_screens_by_version on activity_screens (version)`,
  sql`create index push_tokens_of_activities on push_tokens (registered_at) where kind = 'activity'`,
  sql`create table demos (
    user_id text primary key references users (id) on delete cascade,
    id text not null,
    mode text not null,
    step bigint not null,
    started_at bigint not null,
    ends_at bigint not null,
    notification_id bigint
  )`,
]
