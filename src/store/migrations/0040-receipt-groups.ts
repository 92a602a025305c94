// Alerts that share one receipt, and the key of each account for pings by slug.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`alter table receipts add column group_id bigint`,
  sql`create index receipts_by_group on receipts (group_id) where group_id is not null`,
  sql`create table ping_keys (
    user_id text primary key references users (id) on delete cascade,
    ping_key text not null unique
  )`,
]
