// Receipts of alerts that repeat until someone acknowledges them, and what became of their callbacks.
import { sql } from '../engine/sql.ts'

export const statements = [
  // Outlives its notification and its key: a finished receipt stays readable for a week. `key_hash` is that of the
  // secret with which it was sent, so that a callback can be verified with it although the key was rolled or deleted.
  sql`create table receipts (
    notification_id bigint primary key,
    user_id text not null references users (id) on delete cascade,
    key_id text,
    key_hash text,
    status text not null,
    repeat_seconds bigint not null,
    repeats_sent bigint not null,
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
    callback_status text,
    callback_attempts bigint not null,
    callback_delivered_at bigint,
    callback_status_code bigint
  )`,
  sql`create index receipts_active on receipts (user_id, notification_id) where status = 'active'`,
  sql`create index receipts_finished on receipts (finished_at) where status <> 'active'`,
]
