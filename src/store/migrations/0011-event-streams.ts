// Open event streams of all nodes: counted against the account's limit, and asked by a send that waits for a device on
// one of them.
import { sql } from '../engine/sql.ts'

export const statements = [
  // `device_id` references no device: deleting the device must not take its open stream out of the count.
  sql`create table event_streams (
    id text primary key,
    node text not null,
    user_id text not null references users (id) on delete cascade,
    device_id text,
    begins_after bigint not null,
    written bigint not null,
    expires_at bigint not null
  )`,
  sql`create index event_streams_by_user on event_streams (user_id)`,
  sql`create index event_streams_by_node on event_streams (node)`,
]
