// Widgets and the wall that shows them, activities and with whom they are shared, and the demonstration.
import { sql } from '../../engine/sql.ts'

export const widgetsAndActivities = [
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
  sql`create table walls (
    user_id text primary key references users (id) on delete cascade,
    places text not null,
    shows_clock bigint not null
  )`,
  sql`create table screen_links (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    hash text not null unique,
    name text not null,
    widgets text not null,
    activities text not null,
    shows_wall bigint not null,
    theme text,
    lang text,
    time_zone text,
    opens_taps bigint not null,
    expires_at bigint,
    display text,
    code_hash text unique,
    registers_until bigint,
    mac text,
    last_file text,
    report text,
    log text,
    logged_at bigint,
    pairing_asked_at bigint,
    missed_at bigint,
    told_at bigint,
    last_used_at bigint,
    created_at bigint not null
  )`,
  sql`create index screen_links_by_user on screen_links (user_id, created_at)`,
  sql`create index screen_links_missed on screen_links (missed_at) where missed_at is not null`,
  // `target` is null for the activity of a person, which is how statements tell it from that of an organization without
  // reading the account.
  sql`create table activities (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    slug text not null,
    name text not null,
    target text,
    state text not null check (state = 'ongoing' or state = 'ended' or state = 'preempted'),
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
  // A row for each change, so that a change writes one point and not the whole history.
  sql`create table activity_records (
    activity_id text not null references activities (id) on delete cascade,
    number bigint not null,
    user_id text not null,
    body text not null,
    start_bytes bigint not null,
    end_bytes bigint not null,
    primary key (activity_id, number)
  )`,
  // Outlives its activity: a device that still shows a deleted one is told when it comes back.
  sql`create table activity_screens (
    user_id text not null,
    device_id text not null,
    activity_id text not null,
    slug text not null,
    run bigint not null,
    version bigint not null,
    starting_job bigint,
    primary key (user_id, device_id, activity_id),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`create index activity_screens_by_version on activity_screens (version)`,
  // Outlives its activity, whose message is removed then.
  sql`create table activity_shows (
    user_id text not null references users (id) on delete cascade,
    activity_id text not null,
    app text not null,
    run bigint not null,
    ring_count bigint not null,
    step bigint not null,
    version bigint not null,
    shown_at bigint not null,
    ended_at bigint,
    is_critical bigint not null,
    hour bigint not null,
    shown_in_hour bigint not null,
    pending_job bigint,
    pending_how text
      check (pending_how = 'start' or pending_how = 'update' or pending_how = 'ring' or pending_how = 'end'),
    primary key (user_id, activity_id, app)
  )`,
  sql`create index activity_shows_of_activity on activity_shows (activity_id)`,
  // About one activity (activity_id), or about all whose slug begins with a prefix (slug_prefix).
  sql`create table shares (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    recipient_id text not null references users (id) on delete cascade,
    role text not null check (role = 'viewer' or role = 'editor'),
    activity_id text references activities (id) on delete cascade,
    slug_prefix text,
    created_at bigint not null
  )`,
  sql`create index shares_by_user on shares (user_id)`,
  sql`create index shares_by_recipient on shares (recipient_id)`,
  sql`create unique index shares_of_activity on shares (activity_id, recipient_id) where activity_id is not null`,
  sql`create unique index shares_of_pattern on shares (user_id, slug_prefix, recipient_id)
    where slug_prefix is not null`,
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
