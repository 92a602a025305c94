// Moves the records of doors into the row with the text of their notification, which a send writes anyway. The few that
// have a sequence are looked up by it, and get a small row for that (decision 47).
//
// Nodes of the version before still read and write `door_records` while the nodes are upgraded one by one, so on PostgreSQL
// a view takes the place of the table. A later version drops it.
import { fragment, sql } from '../engine/sql.ts'

const onPostgres = (postgres: string) => fragment({ sqlite: 'select 1', postgres })

const OLD_RECORDS = onPostgres(`create view door_records as
  select c.notification_id, n.user_id, c.door, c.door_channel as channel, s.sequence, c.door_message as message
  from notification_contents c join notifications n on n.id = c.notification_id
  left join door_sequences s on s.notification_id = c.notification_id
  where c.door is not null`)

const INSERT_OLD_RECORD = onPostgres(`create function insert_door_record() returns trigger language plpgsql as $$
  begin
    update notification_contents set door = new.door, door_channel = new.channel, door_message = new.message
      where notification_id = new.notification_id;
    if new.sequence is not null then
      insert into door_sequences (notification_id, user_id, door, channel, sequence)
        values (new.notification_id, new.user_id, new.door, new.channel, new.sequence);
    end if;
    return new;
  end $$`)

const INSERT_THROUGH_VIEW = onPostgres(`create trigger insert_door_record instead of insert on door_records
  for each row execute function insert_door_record()`)

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
  sql`${OLD_RECORDS}`,
  sql`${INSERT_OLD_RECORD}`,
  sql`${INSERT_THROUGH_VIEW}`,
]
