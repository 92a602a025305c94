// The inbox, answers, receipts, schedules, uploaded files, and the feed of events.
import { fragment, IDENTITY, sql } from '../../engine/sql.ts'

// Only `integer` makes it the rowid in SQLite, which then needs no index for it.
const ROW_ID = fragment({ sqlite: 'integer primary key', postgres: 'bigint primary key' })

export const notifications = [
  // Every change of an account's feed locks its row until the commit, so event numbers have no gaps and appear in order, and
  // reading the unread count takes one row.
  sql`create table feeds (
    user_id text primary key references users (id) on delete cascade,
    last_event bigint not null,
    unread bigint not null,
    inbox_bytes bigint not null default 0
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

  // No foreign key to users: its index would cost every send a page. A send also inserts an event, whose foreign key refuses it
  // once the account is gone, and deleting an account deletes its inbox first.
  sql`create table notifications (
    id ${IDENTITY},
    user_id text not null,
    key_id text,
    level text not null
      check (level = 'active' or level = 'time-sensitive' or level = 'passive' or level = 'critical'),
    thread_id text,
    source text,
    collapse_id text,
    pushed bigint not null,
    bytes bigint not null,
    org_id text,
    org_notification_id bigint,
    created_at bigint not null,
    read_at bigint,
    snoozed_until bigint
  )`,
  // Each index costs every send a page. So a notification is in one of the first two, and there is none of all
  // notifications; the others hold few rows.
  sql`create index notifications_unread on notifications (user_id, id) where read_at is null`,
  sql`create index notifications_read on notifications (user_id, id) where read_at is not null`,
  sql`create index notifications_snoozed on notifications (user_id, id) where snoozed_until is not null`,
  sql`create index notifications_by_collapse_id on notifications (user_id, collapse_id, id) where collapse_id is not null`,
  // The long column comes after the one that searches read, and those of doors come after the content, which is read without
  // them: SQLite reads the pages of a row only as far as the column it needs.
  sql`create table notification_contents (
    notification_id ${ROW_ID} references notifications (id) on delete cascade,
    search_text text not null,
    content text not null,
    door text,
    door_channel text,
    door_message text
  )`,
  sql`create table door_sequences (
    notification_id bigint primary key references notifications (id) on delete cascade,
    user_id text not null,
    door text not null,
    channel text not null,
    sequence text not null
  )`,
  sql`create index door_sequences_in_order on door_sequences (user_id, door, channel, sequence, notification_id)`,
  sql`create table gotify_repeats (
    number bigint primary key,
    user_id text not null references users (id) on delete cascade,
    notification_id bigint not null references notifications (id) on delete cascade,
    repeat bigint not null,
    unique (notification_id, repeat)
  )`,
  sql`create index gotify_repeats_by_user on gotify_repeats (user_id)`,
  sql`create table timeline (
    id ${IDENTITY},
    notification_id bigint not null references notifications (id) on delete cascade,
    user_id text not null,
    at bigint not null,
    sent_at bigint,
    event text not null,
    device text,
    detail text
  )`,
  sql`create index timeline_by_notification on timeline (notification_id, id)`,

  // No foreign key to the notification: its sender may read the answer for 30 days, even if the notification is gone.
  sql`create table answers (
    notification_id bigint primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text,
    actions text not null,
    has_receipt bigint not null default 0,
    status text not null check (status = 'pending' or status = 'answered'),
    action_id text,
    text text,
    device text,
    answered_by text,
    created_at bigint not null,
    answered_at bigint
  )`,
  sql`create index answers_by_user on answers (user_id)`,
  sql`create index answers_by_time on answers (created_at)`,
  sql`create index answers_open on answers (user_id, notification_id) where status = 'pending' and has_receipt = 0`,
  // Outlives its notification and its key: a finished receipt stays readable for a week.
  sql`create table receipts (
    notification_id bigint primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text,
    key_hash text,
    group_id bigint,
    status text not null
      check (status = 'active' or status = 'acknowledged' or status = 'expired' or status = 'canceled'),
    repeat_seconds bigint not null,
    repeats_sent bigint not null,
    escalation text,
    escalated_steps bigint not null default 0,
    tags text not null,
    collapse_id text,
    created_at bigint not null,
    expires_at bigint not null,
    last_delivered_at bigint,
    finished_at bigint,
    acknowledged_by text,
    acknowledged_by_device text,
    action_id text,
    cancel_reason text,
    callback_url text,
    callback_form text,
    callback_status text,
    callback_attempts bigint not null,
    callback_delivered_at bigint,
    callback_status_code bigint
  )`,
  sql`create index receipts_by_user on receipts (user_id)`,
  sql`create index receipts_by_group on receipts (group_id) where group_id is not null`,
  sql`create index receipts_active on receipts (user_id, notification_id) where status = 'active'`,
  sql`create index receipts_ended on receipts (user_id, notification_id) where status <> 'active'`,
  sql`create index receipts_ended_by_key on receipts (user_id, key_id, notification_id) where status <> 'active'`,
  sql`create index receipts_finished on receipts (finished_at) where status <> 'active'`,

  sql`create table schedules (
    id ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    key_id text,
    input text not null,
    target_ids text,
    recurrence text,
    status text not null
      check (status = 'scheduled' or status = 'sent' or status = 'canceled' or status = 'failed'),
    paused bigint not null default 0,
    send_at bigint not null,
    occurrence bigint not null,
    created_at bigint not null,
    last_sent_at bigint,
    notification_id bigint,
    sent_at bigint,
    delivery text,
    reason text,
    failure_reason text,
    canceled_at bigint,
    ended_at bigint
  )`,
  sql`create index schedules_by_status on schedules (user_id, status, send_at, id)`,
  sql`create index schedules_by_end on schedules (ended_at) where ended_at is not null`,
  sql`create table schedule_sends (
    schedule_id bigint not null references schedules (id) on delete cascade,
    due_at bigint not null,
    notification_id bigint not null,
    primary key (schedule_id, due_at)
  )`,
  sql`create index schedule_sends_by_time on schedule_sends (due_at)`,

  // Their content is in chunks on PostgreSQL, and in the data folder with SQLite.
  // A file goes with the notification or the schedule that it is attached to.
  sql`create table files (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text,
    notification_id bigint references notifications (id) on delete cascade,
    schedule_id bigint references schedules (id) on delete cascade,
    name text not null,
    type text not null,
    bytes bigint not null,
    is_complete bigint not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  sql`create index files_by_user on files (user_id)`,
  sql`create index files_by_notification on files (notification_id) where notification_id is not null`,
  sql`create index files_by_schedule on files (schedule_id) where schedule_id is not null`,
  sql`create index files_by_expiry on files (expires_at)`,
  sql`create index files_incomplete on files (created_at) where is_complete = 0`,
  sql`create table file_chunks (
    file_id text not null references files (id) on delete cascade,
    number bigint not null,
    content text not null,
    primary key (file_id, number)
  )`,
]
