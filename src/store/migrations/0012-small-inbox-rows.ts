// Splits the inbox: `notifications` keeps the small columns that lists and read marks touch, `notification_contents` the
// text. Marking as read then rewrites some 100 bytes instead of up to 90 KB (decision 20).
// The tables are copied, not altered: SQLite cannot drop a foreign key, and PostgreSQL would keep the dropped columns.
import { fragment, IDENTITY, sql } from '../engine/sql.ts'

const ROW_ID = fragment({ sqlite: 'integer primary key', postgres: 'bigint primary key' })
const GIVEN_IDS = fragment({ sqlite: '', postgres: 'overriding system value' })

// Numbers of deleted notifications must not be given out again: answers and receipts outlive them.
const CONTINUE_NOTIFICATION_IDS = fragment({
  sqlite: `insert into sqlite_sequence (name, seq)
      select 'inbox_notifications', seq from sqlite_sequence where name = 'notifications'`,
  postgres: `select setval(pg_get_serial_sequence('inbox_notifications', 'id'), last_value, is_called)
      from notifications_id_seq`,
})
const CONTINUE_TIMELINE_IDS = fragment({
  sqlite: 'select 1',
  postgres: `select setval(pg_get_serial_sequence('inbox_timeline', 'id'), last_value, is_called)
      from timeline_id_seq`,
})

export const statements = [
  // No foreign key to users: its index would cost every send a page. A send also writes an event, whose foreign key
  // refuses it once the account is gone, and deleting an account deletes its inbox first.
  sql`create table inbox_notifications (
    id ${IDENTITY},
    user_id text not null,
    key_id text,
    level text not null,
    thread_id text,
    source text,
    pushed bigint not null,
    bytes bigint not null,
    created_at bigint not null,
    read_at bigint
  )`,
  sql`${CONTINUE_NOTIFICATION_IDS}`,
  sql`insert into inbox_notifications (id, user_id, key_id, level, thread_id, source, pushed, bytes, created_at, read_at)
    ${GIVEN_IDS}
    select id, user_id, key_id, level, thread_id, source, pushed, octet_length(search_text) + octet_length(content),
      created_at, read_at
    from notifications order by id`,
  // The long column comes last: SQLite reads the pages of a row only as far as the column it needs.
  sql`create table notification_contents (
    notification_id ${ROW_ID} references inbox_notifications (id) on delete cascade,
    search_text text not null,
    content text not null
  )`,
  sql`insert into notification_contents (notification_id, search_text, content)
    select id, search_text, content from notifications order by id`,
  sql`create table inbox_timeline (
    id ${IDENTITY},
    notification_id bigint not null references inbox_notifications (id) on delete cascade,
    user_id text not null,
    at bigint not null,
    event text not null,
    device text,
    detail text,
    sent_at bigint
  )`,
  sql`${CONTINUE_TIMELINE_IDS}`,
  sql`insert into inbox_timeline (id, notification_id, user_id, at, event, device, detail, sent_at) ${GIVEN_IDS}
    select id, notification_id, user_id, at, event, device, detail, sent_at from timeline order by id`,
  // In this order: dropping a table in SQLite deletes its rows first, with all that refers to them.
  sql`drop table timeline`,
  sql`drop table notifications`,
  sql`alter table inbox_notifications rename to notifications`,
  sql`alter table inbox_timeline rename to timeline`,
  sql`create index notifications_unread on notifications (user_id, id) where read_at is null`,
  sql`create index notifications_read on notifications (user_id, id) where read_at is not null`,
  sql`create index timeline_by_notification on timeline (notification_id, id)`,
  sql`alter table feeds add column inbox_bytes bigint not null default 0`,
  sql`with sizes as (select user_id, cast(sum(bytes) as bigint) as total from notifications group by user_id)
    update feeds set inbox_bytes = sizes.total from sizes where sizes.user_id = feeds.user_id`,
  // Deleting an account looks for its rows in each of these.
  sql`create index sign_in_codes_by_user on sign_in_codes (user_id)`,
  sql`create index answers_by_user on answers (user_id)`,
  sql`create index receipts_by_user on receipts (user_id)`,
  sql`create index idempotency_keys_by_user on idempotency_keys (user_id)`,
  // One row: when retention last ran, so that a clock that leaps ahead does not empty inboxes.
  sql`create table retention_clock (
    id bigint primary key,
    last_run_at bigint not null,
    trusted_from bigint not null
  )`,
]
