// The last names of deleted organizations: their notifications stay in the inboxes of those who were members.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create table former_organizations (
    id text primary key,
    name text not null
  )`,
]
