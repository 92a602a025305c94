// The activities that devices show: which run, and up to which version. A row outlives its activity, so that a device
// that registers its token late can be told to dismiss it.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { rowsOf } from '../engine/rows.ts'
import { FOR_UPDATE, type Sql, sql } from '../engine/sql.ts'

export type Screen = { userId: UserId; deviceId: DeviceId; activityId: ActivityId }
// `startingJob`: the job whose start push is under way; the device may show nothing yet.
export type ShownActivity = Screen & { slug: string; run: number; version: Instant; startingJob: number | null }

const ROWS = rowsOf<ShownActivity>('activity_screens', {
  userId: 'user_id',
  deviceId: 'device_id',
  activityId: 'activity_id',
  slug: 'slug',
  run: 'run',
  version: 'version',
  startingJob: 'starting_job',
})

const isOn = ({ userId, deviceId, activityId }: Screen): Sql =>
  sql`user_id = ${userId} and device_id = ${deviceId} and activity_id = ${activityId}`

export const findShownActivity = (db: Reader, screen: Screen): Promise<ShownActivity | undefined> =>
  ROWS.first(db, sql`where ${isOn(screen)}`)

// Locked, so that a dismissal that is recorded at the same time is either seen or comes after.
export const findShownForUpdate = (tx: Writer, screen: Screen): Promise<ShownActivity | undefined> =>
  ROWS.first(tx, sql`where ${isOn(screen)} ${FOR_UPDATE}`)

// By the slug or the id under which a device registers a token. Of several, the one shown last.
export const findShownByName = (
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  name: string,
): Promise<ShownActivity | undefined> =>
  ROWS.first(
    db,
    sql`where user_id = ${userId} and device_id = ${deviceId} and (slug = ${name} or activity_id = ${name})
    order by version desc limit 1`,
  )

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
  tx.queue(sql`delete from activity_screens where ${isOn(screen)} and starting_job = ${job}`)
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
  tx.queue(sql`delete from activity_screens where ${isOn(screen)}`)
}

// Not if the device shows something newer.
export async function deleteShownUpTo(tx: Writer, screen: Screen, version: Instant): Promise<void> {
  tx.queue(sql`delete from activity_screens where ${isOn(screen)} and version <= ${version}`)
}

export async function deleteShownActivitiesBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from activity_screens where (user_id, device_id, activity_id) in
    (select user_id, device_id, activity_id from activity_screens where version < ${at} order by version limit ${limit})`)
}
