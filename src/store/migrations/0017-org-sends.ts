// Notifications of organizations. The head is a row of the organization's account; every reached member gets an entry: a row
// of their inbox that names the head. No new index on notifications, because each costs every send a page (decision 16):
// org_recipients leads from the head to its entries and back.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`alter table notifications add column org_id text`,
  sql`alter table notifications add column org_notification_id bigint`,
  sql`alter table answers add column answered_by text`,
  // The ids behind the names of the target, so that a renamed group stays the same group.
  sql`alter table schedules add column target_ids text`,
  // No foreign key: the rows outlive a head that is recalled, until its entries are removed.
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
  sql`create index org_sends_by_time on org_sends (created_at)`,
  sql`create index org_sends_by_org on org_sends (org_id)`,
  sql`create table org_recipients (
    head_id bigint not null,
    user_id text not null,
    org_id text not null,
    entry_id bigint,
    primary key (head_id, user_id)
  )`,
  sql`create unique index org_recipients_by_entry on org_recipients (entry_id) where entry_id is not null`,
  sql`create index org_recipients_open on org_recipients (head_id, user_id) where entry_id is null`,
  sql`create index org_recipients_open_by_member on org_recipients (org_id, user_id) where entry_id is null`,
]
