// Notifications that are sent later, or again and again.
import { IDENTITY, sql } from '../engine/sql.ts'

export const statements = [
  sql`create table schedules (
    id ${IDENTITY},
    user_id text not null references users (id) on delete cascade,
    key_id text,
    input text not null,
    recurrence text,
    status text not null,
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
  // What was sent for which moment: one notification for each, whatever else goes wrong.
  sql`create table schedule_sends (
    schedule_id bigint not null references schedules (id) on delete cascade,
    due_at bigint not null,
    notification_id bigint not null,
    primary key (schedule_id, due_at)
  )`,
  sql`create index schedule_sends_by_time on schedule_sends (due_at)`,
]
