// Operators: people who run this server and may see its state in the console. Until now the first start gave their account
// the name "operator", and nothing else told it from others.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`alter table users add column is_operator bigint not null default 0`,
  sql`update users set is_operator = 1 where name = 'operator' and kind = 'person'`,
]
