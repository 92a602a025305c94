// The target of an activity of an organization: the ids that decide whom it reaches, and their names as clients see them.
// Null for the activity of a person, which is how statements tell the two apart without reading the account.
import { sql } from '../engine/sql.ts'

export const statements = [sql`alter table activities add column target text`]
