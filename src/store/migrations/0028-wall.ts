// The order and the sizes in which an account shows its widgets.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table walls (
    user_id text primary key references users (id) on delete cascade,
    places text not null,
    shows_clock bigint not null
  )`,
]
