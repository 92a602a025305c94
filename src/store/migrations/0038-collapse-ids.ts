// The collapse id of a notification, by which apps that know no such id are told which message a new one replaces, and an
// index by which the newest message of a sequence is found without reading the others.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`alter table notifications add column collapse_id text`,
  sql`create index notifications_by_collapse_id on notifications (user_id, collapse_id, id) where collapse_id is not null`,
  sql`create index door_sequences_in_order on door_sequences (user_id, door, channel, sequence, notification_id)`,
  sql`drop index door_sequences_by_name`,
]
