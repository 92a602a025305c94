// The quiet hours of an account, at most one row.
import type { UserId } from '../../domain/caller.ts'
import type { QuietHours } from '../../domain/holds/quiet-hours.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { flag, json, rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

const ROWS = rowsOf<QuietHours>('quiet_hours', {
  timezone: 'timezone',
  windows: json('windows'),
  passes: 'passes',
  digest: flag('digest'),
  until: 'until',
})

// Cached, because every send to an account with mutes or quiet hours reads it.
export const findQuietHours = (db: Reader, userId: UserId): Promise<QuietHours | undefined> =>
  ROWS.firstCached(db, sql`where user_id = ${userId}`)

export async function saveQuietHours(tx: Writer, userId: UserId, hours: QuietHours): Promise<void> {
  const { timezone, windows, passes, digest, until } = hours
  tx.queue(sql`insert into quiet_hours (user_id, timezone, windows, passes, digest, until)
    values (${userId}, ${timezone}, ${JSON.stringify(windows)}, ${passes}, ${digest ? 1 : 0}, ${until})
    on conflict (user_id) do update set timezone = excluded.timezone, windows = excluded.windows,
      passes = excluded.passes, digest = excluded.digest, until = excluded.until`)
}

export async function deleteQuietHours(tx: Writer, userId: UserId): Promise<void> {
  tx.queue(sql`delete from quiet_hours where user_id = ${userId}`)
}

export async function endQuietUntil(tx: Writer, userId: UserId): Promise<void> {
  tx.queue(sql`update quiet_hours set until = null where user_id = ${userId}`)
}
