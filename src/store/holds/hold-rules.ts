// Whether an account has anything that holds pushes back. `users.holds_pushes` is read with the token of every request, so an
// account without mutes and quiet hours reads neither.
import type { UserId } from '../../domain/caller.ts'
import type { HoldRules } from '../../domain/holds/hold.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'
import { listMutes } from '../notifications/mutes.ts'
import { findQuietHours } from './quiet-hours.ts'

// Read at the same time, which is one round trip to PostgreSQL.
export async function readHoldRules(db: Reader, userId: UserId): Promise<HoldRules> {
  const [mutes, quietHours] = await Promise.all([listMutes(db, userId), findQuietHours(db, userId)])
  return { mutes, quietHours }
}

// For callers that have not read the account.
export const holdsPushes = (db: Reader, userId: UserId): Promise<boolean> =>
  db.cached(
    sql`select holds_pushes from users where id = ${userId}`,
    ([row]: { holds_pushes: number }[]) => row?.holds_pushes === 1,
  )

// After a change of mutes or quiet hours, under the lock of the account.
export async function updateHoldsPushes(tx: Writer, userId: UserId): Promise<void> {
  tx.queue(sql`update users set holds_pushes = case
      when exists (select 1 from mutes where user_id = ${userId}) then 1
      when exists (select 1 from quiet_hours where user_id = ${userId}) then 1
      else 0 end
    where id = ${userId}`)
}
