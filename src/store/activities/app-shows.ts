// What apps of other services show of activities: for each account and kind of app, which run, and up to which version.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { AppShow, ShowingApp } from '../../domain/activities/app-show.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { flag, rowsOf } from '../engine/rows.ts'
import { eachText, FOR_UPDATE, list, sql } from '../engine/sql.ts'

export type ShowPlace = { userId: UserId; activityId: ActivityId; app: ShowingApp }

const ROWS = rowsOf<AppShow & ShowPlace>('activity_shows', {
  userId: 'user_id',
  activityId: 'activity_id',
  app: 'app',
  run: 'run',
  count: 'ring_count as count',
  step: 'step',
  version: 'version',
  shownAt: 'shown_at',
  endedAt: 'ended_at',
  isCritical: flag('is_critical'),
  hour: 'hour',
  shownInHour: 'shown_in_hour',
  pendingJob: 'pending_job',
  pendingHow: 'pending_how',
})

export const findShowForUpdate = (tx: Writer, { userId, activityId, app }: ShowPlace): Promise<AppShow | undefined> =>
  ROWS.first(tx, sql`where user_id = ${userId} and activity_id = ${activityId} and app = ${app} ${FOR_UPDATE}`)

export const listShows = (
  db: Reader,
  userId: UserId,
  app: ShowingApp,
  ids: string[],
): Promise<(AppShow & ShowPlace)[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ROWS.all(db, sql`where user_id = ${userId} and app = ${app} and activity_id in (${list(ids)})`)

// Where the activity is shown: to some accounts, or to all.
export const listShowPlaces = (
  db: Reader,
  activityId: ActivityId,
  userIds?: readonly UserId[],
): Promise<ShowPlace[]> => {
  const some = userIds ? sql`and user_id in (select value from ${eachText(JSON.stringify(userIds))})` : sql``
  return ROWS.all(db, sql`where activity_id = ${activityId} ${some} order by user_id, app`)
}

export async function saveShow(tx: Writer, { userId, activityId, app }: ShowPlace, show: AppShow): Promise<void> {
  tx.queue(sql`insert into activity_shows (user_id, activity_id, app, run, ring_count, step, version, shown_at, ended_at,
      is_critical, hour, shown_in_hour, pending_job, pending_how)
    values (${userId}, ${activityId}, ${app}, ${show.run}, ${show.count}, ${show.step}, ${show.version}, ${show.shownAt},
      ${show.endedAt}, ${show.isCritical ? 1 : 0}, ${show.hour}, ${show.shownInHour}, ${show.pendingJob},
      ${show.pendingHow})
    on conflict (user_id, activity_id, app) do update set run = excluded.run, ring_count = excluded.ring_count,
      step = excluded.step, version = excluded.version, shown_at = excluded.shown_at, ended_at = excluded.ended_at,
      is_critical = excluded.is_critical, hour = excluded.hour, shown_in_hour = excluded.shown_in_hour,
      pending_job = excluded.pending_job, pending_how = excluded.pending_how`)
}

// What the job was pushing has ended.
export async function clearPendingShow(tx: Writer, { userId, activityId, app }: ShowPlace, job: number): Promise<void> {
  tx.queue(sql`update activity_shows set pending_job = null, pending_how = null
    where user_id = ${userId} and activity_id = ${activityId} and app = ${app} and pending_job = ${job}`)
}

// Unless something was shown after this step.
export async function deleteShow(
  tx: Writer,
  { userId, activityId, app }: ShowPlace,
  { step }: Pick<AppShow, 'step'>,
): Promise<void> {
  tx.queue(sql`delete from activity_shows
    where user_id = ${userId} and activity_id = ${activityId} and app = ${app} and step = ${step}`)
}

export type AppOfAccount = { userId: UserId; app: ShowingApp }

// Those of the accounts that have an app of a kind that shows activities.
export async function listShowingApps(db: Reader, userIds: readonly UserId[]): Promise<AppOfAccount[]> {
  const rows = await db.all<{
    user_id: UserId
    platform: ShowingApp
  }>(sql`select distinct user_id, platform from devices
    where user_id in (select value from ${eachText(JSON.stringify(userIds))}) and platform in ('ntfy', 'bark')
    order by user_id, platform`)
  return rows.map(({ user_id, platform }) => ({ userId: user_id, app: platform }))
}
