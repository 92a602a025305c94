// The wall of an account, and the links to it: widget tokens that belong to no device.
import type { WallPlace } from '../../contract/widgets.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Wall } from '../../domain/widgets/widget.ts'
import { revocationTopic } from '../accounts/tokens.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { IN_BYTE_ORDER, sql } from '../engine/sql.ts'

export async function findWall(db: Reader, userId: UserId): Promise<Wall | undefined> {
  const row = await db.first<{ places: string; shows_clock: number }>(
    sql`select places, shows_clock from walls where user_id = ${userId}`,
  )
  return row && { places: JSON.parse(row.places) as WallPlace[], showsClock: row.shows_clock === 1 }
}

export async function saveWall(tx: Writer, userId: UserId, { places, showsClock }: Wall): Promise<void> {
  tx.queue(sql`insert into walls (user_id, places, shows_clock)
    values (${userId}, ${JSON.stringify(places)}, ${showsClock ? 1 : 0})
    on conflict (user_id) do update set places = excluded.places, shows_clock = excluded.shows_clock`)
}

// Without their content, which is large.
export async function listWidgetSlugs(db: Reader, userId: UserId): Promise<string[]> {
  const rows = await db.all<{ slug: string }>(
    sql`select slug from widgets where user_id = ${userId} order by slug ${IN_BYTE_ORDER}`,
  )
  return rows.map(({ slug }) => slug)
}

export type WallLink = { id: string; name: string | null; createdAt: Instant }

export async function listWallLinks(db: Reader, userId: UserId): Promise<WallLink[]> {
  const rows = await db.all<{ id: string; name: string | null; created_at: number }>(sql`select id, name, created_at
    from tokens where user_id = ${userId} and kind = 'hlw' and device_id is null order by created_at, id`)
  return rows.map(({ id, name, created_at }) => ({ id, name, createdAt: instant(created_at) }))
}

// Returns false if there is no such link.
export async function deleteWallLink(tx: Writer, userId: UserId, id: string): Promise<boolean> {
  tx.signal(revocationTopic(userId))
  const deleted = await tx.execute(sql`delete from tokens
    where user_id = ${userId} and kind = 'hlw' and device_id is null and id = ${id}`)
  return deleted === 1
}
