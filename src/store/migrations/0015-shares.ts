// Sharing: the codes that an owner gives out, and the shares of those who joined. Each row is about one activity
// (activity_id) or about all activities whose slug begins with a prefix (slug_prefix).
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table share_codes (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    code text not null unique,
    role text not null,
    activity_id text references activities (id) on delete cascade,
    slug_prefix text,
    max_uses bigint not null,
    use_count bigint not null,
    last_used_at bigint,
    expires_at bigint not null,
    created_at bigint not null
  )`,
  sql`create index share_codes_by_user on share_codes (user_id)`,
  sql`create index share_codes_by_activity on share_codes (activity_id) where activity_id is not null`,
  sql`create index share_codes_by_expiry on share_codes (expires_at)`,
  sql`create table shares (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    recipient_id text not null references users (id) on delete cascade,
    role text not null,
    activity_id text references activities (id) on delete cascade,
    slug_prefix text,
    created_at bigint not null
  )`,
  sql`create index shares_by_user on shares (user_id)`,
  sql`create index shares_by_recipient on shares (recipient_id)`,
  sql`create unique index shares_of_activity on shares (activity_id, recipient_id) where activity_id is not null`,
  sql`create unique index shares_of_pattern on shares (user_id, slug_prefix, recipient_id)
    where slug_prefix is not null`,
]
