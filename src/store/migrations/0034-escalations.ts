// Escalation policies, the copy of one that a running alert carries, and which step has added a member to an alert.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table escalations (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    slug text not null,
    name text not null,
    steps text not null,
    created_at bigint not null,
    updated_at bigint not null,
    unique (user_id, slug)
  )`,
  sql`alter table receipts add column escalation text`,
  sql`alter table receipts add column escalated_steps bigint not null default 0`,
  sql`alter table org_recipients add column step bigint`,
]
