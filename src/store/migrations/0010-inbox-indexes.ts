// Every notification is in one of two indexes, by whether it is read, instead of in one for all and one for the unread:
// each index costs every send a page, and a notification begins unread.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create index notifications_read on notifications (user_id, id) where read_at is not null`,
  sql`drop index notifications_by_user`,
]
