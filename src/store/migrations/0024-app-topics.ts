// The topics that ntfy's apps have asked for, and under which address: an iPhone learns of a message by the hash of both.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table app_topics (
    user_id text not null,
    device_id text not null,
    topic text not null,
    url text not null,
    primary key (user_id, device_id, topic, url),
    foreign key (user_id, device_id) references devices (user_id, id) on delete cascade
  )`,
]
