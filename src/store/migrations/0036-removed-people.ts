// Who may not use a code that is open, because they were removed since it was made, and who made an invitation. The rows go
// with the code, which is kept for days.
import { sql } from '../engine/sql.ts'

export const statements = [
  // Null for invitations of the version before.
  sql`alter table org_invitations add column created_by text`,
  sql`create table invitation_bars (
    invitation_id text not null references org_invitations (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    primary key (invitation_id, user_id)
  )`,
  sql`create index invitation_bars_by_user on invitation_bars (user_id)`,
  sql`create table share_code_bars (
    code_id text not null references share_codes (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    primary key (code_id, user_id)
  )`,
  sql`create index share_code_bars_by_user on share_code_bars (user_id)`,
]
