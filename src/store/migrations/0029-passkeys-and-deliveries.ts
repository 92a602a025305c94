// Passkeys, with which people sign in to the console, and daily counts of what devices have taken.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table passkeys (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    credential_id text not null unique,
    public_key text not null,
    counter bigint not null,
    is_synced bigint not null,
    transports text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  sql`create index passkeys_by_user on passkeys (user_id, created_at)`,
  sql`create table daily_deliveries (
    user_id text not null references users (id) on delete cascade,
    day bigint not null,
    device_id text not null,
    outcome text not null,
    count bigint not null,
    primary key (user_id, day, device_id, outcome)
  )`,
  sql`create index daily_deliveries_by_day on daily_deliveries (day)`,
]
