// Tool calls of agents that wait for a person are counted apart from held requests, and for each key.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`alter table open_waits add column held_by text not null default 'request'`,
  sql`alter table open_waits add column key_id text`,
]
