// Waits until transactions on PostgreSQL wait for locks that others hold, so that a test decides which comes first.
import { expect } from 'vitest'
import type { Database } from '../../../src/store/engine/database.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { eventually } from '../eventually.ts'

const WAITING = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

export async function untilLockWaits(db: Database, count: number): Promise<void> {
  await eventually(async () => expect(await db.read.all(WAITING)).toHaveLength(count))
}
