// Moves the records of doors into the row with the text of their notification, which a send writes anyway. The few that
// have a sequence are looked up by it, and get a small row for that (decision 47).
import { sql } from '../engine/sql.ts'

export const statements = [
  // Behind the content, which is read without them.
  sql`alter table notification_contents add column door text`,
  sql`alter table notification_contents add column door_channel text`,
  sql`alter table notification_contents add column door_message text`,
  sql`update notification_contents set (door, door_channel, door_message) =
      (select r.door, r.channel, r.message from door_records r
        where r.notification_id = notification_contents.notification_id)
    where notification_id in (select notification_id from door_records)`,
  sql`create table door_sequences (
    notification_id bigint primary key references notifications (id) on delete cascade,
    user_id text not null,
    door text not null,
    channel text not null,
    sequence text not null
  )`,
  sql`insert into door_sequences (notification_id, user_id, door, channel, sequence)
    select notification_id, user_id, door, channel, sequence from door_records where sequence is not null`,
  sql`create index door_sequences_by_name on door_sequences (user_id, door, channel, sequence)`,
  sql`drop table door_records`,
]
