// Organizations: accounts of a kind of their own, with members, groups, tags and invitations. A key of an organization may
// be limited to a part of its members.
import { eachText, fragment, sql } from '../engine/sql.ts'

export const statements = [
  // 'person', 'organization', or 'closed-organization' while an organization is being deleted.
  sql`alter table users add column kind text not null default 'person'`,
  sql`alter table integration_keys add column target text`,
  sql`create table memberships (
    org_id text not null references users (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    role text not null,
    muted_until bigint,
    joined_at bigint not null,
    primary key (org_id, user_id)
  )`,
  sql`create index memberships_by_user on memberships (user_id)`,
  sql`create index memberships_by_time on memberships (org_id, joined_at, user_id)`,
  sql`create table org_groups (
    id text primary key,
    org_id text not null references users (id) on delete cascade,
    set_id text not null unique,
    name text not null,
    created_at bigint not null,
    unique (org_id, name)
  )`,
  // The members of a group are a set that is replaced as a whole: a new set is filled in small steps, and then one update
  // of the group makes it current. Rows of other sets are invisible and wait to be deleted.
  sql`create table group_sets (
    id text primary key,
    org_id text not null references users (id) on delete cascade,
    created_at bigint not null
  )`,
  sql`create index group_sets_by_org on group_sets (org_id)`,
  sql`create index group_sets_by_time on group_sets (created_at)`,
  // A person who leaves the organization leaves its groups.
  sql`create table group_set_members (
    set_id text not null,
    org_id text not null,
    user_id text not null,
    primary key (set_id, user_id),
    foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
  )`,
  sql`create index group_set_members_by_member on group_set_members (org_id, user_id)`,
  sql`create view group_members as
    select g.id as group_id, s.org_id, s.user_id
    from org_groups g join group_set_members s on s.set_id = g.set_id`,
  sql`create table org_tags (
    id text primary key,
    org_id text not null references users (id) on delete cascade,
    name text not null,
    created_at bigint not null,
    unique (org_id, name)
  )`,
  // The tags of devices.tags, one row each, to find devices by tag.
  sql`create table device_tags (
    user_id text not null,
    device_id text not null,
    tag text not null,
    primary key (user_id, device_id, tag),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
  sql`create index device_tags_by_tag on device_tags (tag, user_id)`,
  sql`insert into device_tags (user_id, device_id, tag)
    select distinct d.user_id, d.id, value from devices d, ${eachText(fragment('d.tags'))}`,
  sql`create table org_invitations (
    id text primary key,
    org_id text not null references users (id) on delete cascade,
    code text not null unique,
    role text not null,
    max_uses bigint not null,
    use_count bigint not null,
    group_ids text not null,
    expires_at bigint not null,
    created_at bigint not null
  )`,
  sql`create index org_invitations_by_org on org_invitations (org_id, created_at)`,
  sql`create index org_invitations_by_expiry on org_invitations (expires_at)`,
]
