// The activities that devices show: which run, and up to which version. A row outlives its activity, so that a device
// that registers its token late can be told to dismiss it.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { FOR_UPDATE, fragment, sql } from '../engine/sql.ts'

export type Screen = { userId: UserId; deviceId: DeviceId; activityId: ActivityId }
// `startingJob`: the job whose start push is under way; the device may show nothing yet.
export type ShownActivity = Screen & { slug: string; run: number; version: Instant; startingJob: number | null }

const COLUMNS = fragment('activity_id, slug, run, version, starting_job')

export async function findShownActivity(
  db: Reader,
  { userId, deviceId, activityId }: Screen,
): Promise<ShownActivity | undefined> {
  const row = await db.first<ShownActivityRow>(sql`select ${COLUMNS} from activity_screens
    where user_id = ${userId} and device_id = ${deviceId} and activity_id = ${activityId}`)
  return row && toShownActivity(userId, deviceId, row)
}

// Locked, so that a dismissal that is recorded at the same time is either seen or comes after.
export async function findShownForUpdate(
  tx: Writer,
  { userId, deviceId, activityId }: Screen,
): Promise<ShownActivity | undefined> {
  const row = await tx.first<ShownActivityRow>(sql`select ${COLUMNS} from activity_screens
    where user_id = ${userId} and device_id = ${deviceId} and activity_id = ${activityId} ${FOR_UPDATE}`)
  return row && toShownActivity(userId, deviceId, row)
}

// By the slug or the id under which a device registers a token. Of several, the one shown last.
export async function findShownByName(
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  name: string,
): Promise<ShownActivity | undefined> {
  const row = await db.first<ShownActivityRow>(sql`select ${COLUMNS} from activity_screens
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

// Takes the start of a run for a job, so that a change that is pushed at the same time does not start it a second time. A
// retry of the job takes it again. `version`: before the one that the start pushes. Returns false if another job has taken
// it.
export async function takeStart(
  tx: Writer,
  screen: Screen,
  { slug, run, version, job }: { slug: string; run: number; version: Instant; job: number },
): Promise<boolean> {
  const taken = await tx.execute(sql`insert into activity_screens (user_id, device_id, activity_id, slug, run, version,
      starting_job)
    select user_id, id, ${screen.activityId}, ${slug}, ${run}, ${version}, ${job} from devices
    where user_id = ${screen.userId} and id = ${screen.deviceId}
    on conflict (user_id, device_id, activity_id) do update
      set run = excluded.run, version = excluded.version, starting_job = excluded.starting_job
      where activity_screens.run < excluded.run or activity_screens.starting_job = excluded.starting_job`)
  return taken === 1
}

// The start has failed for good, or is tried again later.
export async function releaseStart(tx: Writer, screen: Screen, job: number): Promise<void> {
  tx.queue(sql`delete from activity_screens
    where user_id = ${screen.userId} and device_id = ${screen.deviceId} and activity_id = ${screen.activityId}
      and starting_job = ${job}`)
}

// Outcomes may be recorded out of order; only a newer version is recorded.
export async function saveShownActivity(tx: Writer, shown: Omit<ShownActivity, 'startingJob'>): Promise<void> {
  tx.queue(sql`insert into activity_screens (user_id, device_id, activity_id, slug, run, version)
    select user_id, id, ${shown.activityId}, ${shown.slug}, ${shown.run}, ${shown.version} from devices
    where user_id = ${shown.userId} and id = ${shown.deviceId}
    on conflict (user_id, device_id, activity_id) do update
      set run = excluded.run, version = excluded.version, starting_job = null
      where activity_screens.version < excluded.version`)
}

export async function deleteShownActivity(tx: Writer, screen: Screen): Promise<void> {
  tx.queue(sql`delete from activity_screens
    where user_id = ${screen.userId} and device_id = ${screen.deviceId} and activity_id = ${screen.activityId}`)
}

// Not if the device shows something newer.
export async function deleteShownUpTo(tx: Writer, screen: Screen, version: Instant): Promise<void> {
  tx.queue(sql`delete from activity_screens
    where user_id = ${screen.userId} and device_id = ${screen.deviceId} and activity_id = ${screen.activityId}
      and version <= ${version}`)
}

export async function deleteShownActivitiesBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from activity_screens where (user_id, device_id, activity_id) in
    (select user_id, device_id, activity_id from activity_screens where version < ${at} order by version limit ${limit})`)
}

type ShownActivityRow = {
  activity_id: ActivityId
  slug: string
  run: number
  version: number
  starting_job: number | null
}

const toShownActivity = (userId: UserId, deviceId: DeviceId, row: ShownActivityRow): ShownActivity => ({
  userId,
  deviceId,
  activityId: row.activity_id,
  slug: row.slug,
  run: row.run,
  version: instant(row.version),
  startingJob: row.starting_job,
})
