// What the console shows of the inbox: which notifications wait for an answer, and alerts by whether they have ended.
import { sql } from '../engine/sql.ts'

export const statements = [
  // An alert waits as long as its receipt is active. Receipts are deleted after a week and answers after a month, so the
  // answer must know that there was one.
  sql`alter table answers add column has_receipt bigint not null default 0`,
  sql`update answers set has_receipt = 1
    where actions like '%"id":"pw_ack"%' or notification_id in (select notification_id from receipts)`,
  sql`create index answers_open on answers (user_id, notification_id) where status = 'pending' and has_receipt = 0`,
  sql`create index receipts_ended on receipts (user_id, notification_id) where status <> 'active'`,
  sql`create index receipts_ended_by_key on receipts (user_id, key_id, notification_id) where status <> 'active'`,
]
