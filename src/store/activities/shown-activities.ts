// The activities that devices show: which run, and up to which version. A row outlives its activity, so that a device
// that registers its token late can be told to dismiss it.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

export type Screen = { userId: UserId; deviceId: DeviceId; activityId: ActivityId }
export type ShownActivity = Screen & { slug: string; run: number; version: Instant }

export async function findShownActivity(
  db: Reader,
  { userId, deviceId, activityId }: Screen,
): Promise<ShownActivity | undefined> {
  const row = await db.first<ShownActivityRow>(sql`select activity_id, slug, run, version from activity_screens
    where user_id = ${userId} and device_id = ${deviceId} and activity_id = ${activityId}`)
  return row && toShownActivity(userId, deviceId, row)
}

// By the slug or the id under which a device registers a token. Of several, the one shown last.
export async function findShownByName(
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  name: string,
): Promise<ShownActivity | undefined> {
  const row = await db.first<ShownActivityRow>(sql`select activity_id, slug, run, version from activity_screens
    where user_id = ${userId} and device_id = ${deviceId} and (slug = ${name} or activity_id = ${name})
    order by version desc limit 1`)
  return row && toShownActivity(userId, deviceId, row)
}

// The activities that the devices of an account show, or have a token for.
export async function listShownIds(db: Reader, userId: UserId): Promise<ActivityId[]> {
  const rows = await db.all<{ activity_id: ActivityId }>(sql`select activity_id from activity_screens
    where user_id = ${userId} union select activity_id from push_tokens where user_id = ${userId} and kind = 'activity'`)
  return rows.map((row) => row.activity_id)
}

// Outcomes may be recorded out of order; only a newer version is recorded. `token`: the activity token of an update. If it is
// gone, the activity was dismissed while the update was under way.
export async function saveShownActivity(tx: Writer, shown: ShownActivity, token?: string): Promise<void> {
  const isThere = token
    ? sql`and exists (select 1 from push_tokens t where t.user_id = ${shown.userId} and t.device_id = ${shown.deviceId}
        and t.kind = 'activity' and t.activity_id = ${shown.activityId} and t.token = ${token})`
    : sql``
  tx.queue(sql`insert into activity_screens (user_id, device_id, activity_id, slug, run, version)
    select user_id, id, ${shown.activityId}, ${shown.slug}, ${shown.run}, ${shown.version} from devices
    where user_id = ${shown.userId} and id = ${shown.deviceId} ${isThere}
    on conflict (user_id, device_id, activity_id) do update set run = excluded.run, version = excluded.version
      where activity_screens.version < excluded.version`)
}

// With a version: not if the device shows something newer.
export async function deleteShownActivity(tx: Writer, screen: Screen, version?: Instant): Promise<void> {
  const isOlder = version === undefined ? sql`` : sql`and version <= ${version}`
  tx.queue(sql`delete from activity_screens
    where user_id = ${screen.userId} and device_id = ${screen.deviceId} and activity_id = ${screen.activityId}
      ${isOlder}`)
}

export async function deleteShownActivitiesBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from activity_screens where (user_id, device_id, activity_id) in
    (select user_id, device_id, activity_id from activity_screens where version < ${at} order by version limit ${limit})`)
}

type ShownActivityRow = { activity_id: ActivityId; slug: string; run: number; version: number }

const toShownActivity = (userId: UserId, deviceId: DeviceId, row: ShownActivityRow): ShownActivity => ({
  userId,
  deviceId,
  activityId: row.activity_id,
  slug: row.slug,
  run: row.run,
  version: instant(row.version),
})
