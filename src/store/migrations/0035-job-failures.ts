// Failures of a job in a row, which `attempt` counted together with its steps, and when the change was accepted that a job
// carries out in steps.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`alter table jobs add column failures bigint not null default 0`,
  sql`alter table jobs add column accepted_at bigint`,
  sql`create index jobs_by_acceptance on jobs (kind, accepted_at) where accepted_at is not null`,
]
