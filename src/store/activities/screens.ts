// What each device shows of an activity: which run of it, and up to which version.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

export type Screen = {
  userId: UserId
  deviceId: DeviceId
  slug: string
  activityId: ActivityId
  run: number
  version: Instant
}

export async function findScreen(
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  slug: string,
): Promise<Screen | undefined> {
  const row = await db.first<ScreenRow>(sql`select activity_id, run, version from activity_screens
    where user_id = ${userId} and device_id = ${deviceId} and slug = ${slug}`)
  return row && { userId, deviceId, slug, activityId: row.activity_id, run: row.run, version: instant(row.version) }
}

// Outcomes may be recorded out of order; within an activity, the newest version is the one that is shown.
export async function saveScreen(tx: Writer, screen: Screen): Promise<void> {
  tx.queue(sql`insert into activity_screens (user_id, device_id, slug, activity_id, run, version)
    select user_id, id, ${screen.slug}, ${screen.activityId}, ${screen.run}, ${screen.version} from devices
    where user_id = ${screen.userId} and id = ${screen.deviceId}
    on conflict (user_id, device_id, slug) do update
      set activity_id = excluded.activity_id, run = excluded.run, version = excluded.version
      where activity_screens.activity_id <> excluded.activity_id or activity_screens.version < excluded.version`)
}

// Unless the device shows something newer by now.
export async function deleteScreen(tx: Writer, screen: Screen): Promise<void> {
  tx.queue(sql`delete from activity_screens
    where user_id = ${screen.userId} and device_id = ${screen.deviceId} and slug = ${screen.slug}
      and activity_id = ${screen.activityId} and version <= ${screen.version}`)
}

export async function deleteScreensBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from activity_screens where (user_id, device_id, slug) in
    (select user_id, device_id, slug from activity_screens where version < ${at} order by version limit ${limit})`)
}

type ScreenRow = { activity_id: ActivityId; run: number; version: number }
