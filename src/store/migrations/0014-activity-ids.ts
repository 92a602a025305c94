// What devices show of activities, and their update tokens, by the id of the activity: an account may see two activities
// with one slug, its own and one that is shared with it. A token whose activity is not known keeps the slug under which the
// device registered it. The tables are copied, because SQLite cannot change a primary key; each has a few rows per device.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table screens_by_id (
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
  sql`insert into screens_by_id (user_id, device_id, activity_id, slug, run, version)
    select user_id, device_id, activity_id, slug, run, version from activity_screens`,
  sql`create table tokens_by_id (
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
  // A screen says which activity of the slug the device shows; the one of that slug may be newer. A slug may look like the id
  // of another activity, whose own token is kept then. SQLite needs the `where` to parse `on conflict` after a join.
  sql`insert into tokens_by_id (user_id, device_id, kind, activity_id, token, environment, p256dh, auth, registered_at)
    select t.user_id, t.device_id, t.kind, coalesce(s.activity_id, a.id, t.activity_slug), t.token, t.environment,
      t.p256dh, t.auth, t.registered_at
    from push_tokens t
    left join activity_screens s on t.kind = 'activity' and s.user_id = t.user_id and s.device_id = t.device_id
      and s.slug = t.activity_slug
    left join activities a on t.kind = 'activity' and a.user_id = t.user_id and a.slug = t.activity_slug
    where true
    order by coalesce(s.activity_id, a.id) is null
    on conflict (user_id, device_id, kind, activity_id) do nothing`,
  sql`drop table activity_screens`,
  sql`drop table push_tokens`,
  sql`alter table screens_by_id rename to activity_screens`,
  sql`alter table tokens_by_id rename to push_tokens`,
  sql`create index activity_screens_by_version on activity_screens (version)`,
  sql`create unique index push_tokens_by_token on push_tokens (kind, token)`,
  sql`create index push_tokens_of_activities on push_tokens (registered_at) where kind = 'activity'`,
]
