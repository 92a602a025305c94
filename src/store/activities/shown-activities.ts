// The activities that devices show: which run, and up to which version.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

export type ShownActivity = {
  userId: UserId
  deviceId: DeviceId
  slug: string
  activityId: ActivityId
  run: number
  version: Instant
}

export async function findShownActivity(
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  slug: string,
): Promise<ShownActivity | undefined> {
  const row = await db.first<ShownActivityRow>(sql`select activity_id, run, version from activity_screens
    where user_id = ${userId} and device_id = ${deviceId} and slug = ${slug}`)
  return row && { userId, deviceId, slug, activityId: row.activity_id, run: row.run, version: instant(row.version) }
}

// Outcomes may be recorded out of order; only a newer version is recorded.
export async function saveShownActivity(tx: Writer, shown: ShownActivity): Promise<void> {
  tx.write(sql`insert into activity_screens (user_id, device_id, slug, activity_id, run, version)
    select user_id, id, ${shown.slug}, ${shown.activityId}, ${shown.run}, ${shown.version} from devices
    where user_id = ${shown.userId} and id = ${shown.deviceId}
    on conflict (user_id, device_id, slug) do update
      set activity_id = excluded.activity_id, run = excluded.run, version = excluded.version
      where activity_screens.activity_id <> excluded.activity_id or activity_screens.version < excluded.version`)
}

// Not if the device shows something newer.
export async function deleteShownActivity(tx: Writer, shown: ShownActivity): Promise<void> {
  tx.write(sql`delete from activity_screens
    where user_id = ${shown.userId} and device_id = ${shown.deviceId} and slug = ${shown.slug}
      and activity_id = ${shown.activityId} and version <= ${shown.version}`)
}

export async function deleteShownActivitiesBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.run(sql`delete from activity_screens where (user_id, device_id, slug) in
    (select user_id, device_id, slug from activity_screens where version < ${at} order by version limit ${limit})`)
}

type ShownActivityRow = { activity_id: ActivityId; run: number; version: number }
