// Files that senders upload, kept for a day. On PostgreSQL their content is in chunks; with SQLite it is in the data folder.
// And the form of a callback, which is null for our own.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table files (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    type text not null,
    bytes bigint not null,
    is_complete bigint not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  sql`create index files_by_user on files (user_id)`,
  sql`create index files_by_expiry on files (expires_at)`,
  sql`create index files_incomplete on files (created_at) where is_complete = 0`,
  sql`create table file_chunks (
    file_id text not null references files (id) on delete cascade,
    number bigint not null,
    content text not null,
    primary key (file_id, number)
  )`,
  sql`alter table receipts add column callback_form text`,
]
