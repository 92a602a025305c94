// What the storm shields of keys and hooks have counted, on all nodes together.
import type { ShieldId, UserId } from '../../domain/caller.ts'
import type { HeldInStorm } from '../../domain/holds/storm.ts'
import type { Instant } from '../../domain/instant.ts'
import { type Level, levelOf, type NotificationId, rankOf } from '../../domain/notifications/notification.ts'
import type { Writer } from '../engine/database.ts'
import { FOR_UPDATE, sql } from '../engine/sql.ts'

// Locks the row of the shield and returns the times of its last pushes.
export async function lockPushes(tx: Writer, userId: UserId, id: ShieldId): Promise<Instant[]> {
  const found = await findPushesForUpdate(tx, id)
  if (found) return found
  tx.queue(sql`insert into storms (shield_id, user_id, pushes) values (${id}, ${userId}, '[]')
    on conflict (shield_id) do nothing`)
  return (await findPushesForUpdate(tx, id)) ?? []
}

async function findPushesForUpdate(tx: Writer, id: ShieldId): Promise<Instant[] | undefined> {
  const row = await tx.first<{ pushes: string }>(sql`select pushes from storms where shield_id = ${id} ${FOR_UPDATE}`)
  return row && JSON.parse(row.pushes)
}

export async function updatePushes(tx: Writer, id: ShieldId, pushes: readonly Instant[]): Promise<void> {
  tx.queue(sql`update storms set pushes = ${JSON.stringify(pushes)} where shield_id = ${id}`)
}

export async function addHeld(
  tx: Writer,
  id: ShieldId,
  { id: newest, level }: { id: NotificationId; level: Level },
): Promise<void> {
  const rank = rankOf(level)
  tx.queue(sql`update storms set held = held + 1, held_newest = ${newest},
      held_level = case when held_level < ${rank} then ${rank} else held_level end
    where shield_id = ${id}`)
}

// Sets the count to zero, so each is told once. Undefined if none was held.
export async function takeHeldInStorm(tx: Writer, id: ShieldId): Promise<HeldInStorm | undefined> {
  const row = await tx.first<{ held: number; held_level: number; held_newest: NotificationId | null }>(
    sql`select held, held_level, held_newest from storms where shield_id = ${id} and held > 0 ${FOR_UPDATE}`,
  )
  if (!row) return undefined
  tx.queue(sql`update storms set held = 0, held_level = 0, held_newest = null where shield_id = ${id}`)
  return { count: row.held, level: levelOf(row.held_level), newestId: row.held_newest }
}

export async function deleteStorm(tx: Writer, id: ShieldId): Promise<void> {
  tx.queue(sql`delete from storms where shield_id = ${id}`)
}
