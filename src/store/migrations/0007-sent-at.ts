// What became of a push says when it was sent, instead of a row of its own that says so.
import { sql } from '../engine/sql.ts'

export const statements = [sql`alter table timeline add column sent_at bigint`]
