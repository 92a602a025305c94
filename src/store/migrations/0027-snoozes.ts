// Snoozed notifications: hidden from the inbox until a time. The index has only those, so it costs a send nothing.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`alter table notifications add column snoozed_until bigint`,
  sql`create index notifications_snoozed on notifications (user_id, id) where snoozed_until is not null`,
]
