// Organizations, which are accounts of a kind of their own: members, groups, tags, and whom a send reaches. And the codes by
// which people join one, or what a person shares.
import { sql } from '../../engine/sql.ts'

export const organizations = [
  sql`create table memberships (
    org_id text not null references users (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    role text not null check (role = 'member' or role = 'admin' or role = 'owner'),
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
  // The members of a group are a set that is replaced as a whole: a new set is filled in small steps, and then one update of
  // the group makes it current. Rows of other sets are invisible until they are deleted.
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
  // A share code is about one activity (activity_id) or a prefix of slugs (slug_prefix) of the account; an invitation is to the
  // organization, and to some of its groups (group_ids).
  sql`create table join_codes (
    id text primary key,
    kind text not null check (kind = 'share' or kind = 'invitation'),
    user_id text not null references users (id) on delete cascade,
    created_by text not null,
    code text not null unique,
    role text not null check (role = 'viewer' or role = 'editor' or role = 'member' or role = 'admin'),
    activity_id text references activities (id) on delete cascade,
    slug_prefix text,
    group_ids text,
    max_uses bigint not null,
    use_count bigint not null,
    last_used_at bigint,
    expires_at bigint not null,
    created_at bigint not null
  )`,
  sql`create index join_codes_by_user on join_codes (user_id, created_at)`,
  sql`create index join_codes_by_activity on join_codes (activity_id) where activity_id is not null`,
  sql`create index join_codes_by_expiry on join_codes (expires_at)`,
  // Who may not use a code that was open when they were removed.
  sql`create table join_code_bars (
    code_id text not null references join_codes (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    primary key (code_id, user_id)
  )`,
  sql`create index join_code_bars_by_user on join_code_bars (user_id)`,
  // The notification itself, the head, is a row of the organization's account; every reached member gets an entry: a row of
  // their inbox that names the head. No foreign keys: the rows outlive a head that is recalled, until its entries are removed.
  sql`create table org_sends (
    head_id bigint primary key,
    org_id text not null,
    target text,
    target_ids text not null,
    collapse_id text,
    members bigint not null,
    devices bigint not null,
    created_at bigint not null
  )`,
  sql`create index org_sends_by_org on org_sends (org_id)`,
  sql`create index org_sends_by_time on org_sends (created_at)`,
  // Leads from the head to its entries and back, because an index on notifications would cost every send a page.
  sql`create table org_recipients (
    head_id bigint not null,
    user_id text not null,
    org_id text not null,
    step bigint,
    entry_id bigint,
    primary key (head_id, user_id)
  )`,
  sql`create unique index org_recipients_by_entry on org_recipients (entry_id) where entry_id is not null`,
  // A send adds its rows at one place of this index, in their order: ten thousand of them are one statement.
  sql`create index org_recipients_open on org_recipients (org_id, head_id, user_id) where entry_id is null`,
  sql`create table former_organizations (
    id text primary key,
    name text not null
  )`,
]
