// Jobs are claimed kind by kind, so the index begins with the kind. `channel_nodes` says when a node that can use a
// channel was last there.
import { sql } from '../engine/sql.ts'

export const statements = [
  sql`create index jobs_by_kind on jobs (kind, run_at)`,
  sql`drop index jobs_by_run_at`,
  sql`create table channel_nodes (channel text primary key, seen_at bigint not null)`,
]
