// Tells the many members that an activity of an organization reaches of a change, and pushes it to their devices: a step of a
// hundred members is a transaction. Changes that are made before the first step coalesce.
import { LIMITS } from '../../contract/limits.ts'
import { type Activity, isOfOrganization } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { type ActivitySpread, JOB_KEYS, type Jobs } from '../../domain/jobs.ts'
import { openForServer } from '../../domain/organizations/limit.ts'
import { findActivityByIdForUpdate, findActivityOfAccount } from '../../store/activities/activities.ts'
import { listShowingApps } from '../../store/activities/app-shows.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { listReachedIdsAfter } from '../../store/organizations/profiles.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueAppShows } from './app-shows.ts'
import { audienceAmong, sharedActivityEvent } from './audience.ts'
import { enqueueActivityPushes } from './enqueue-push.ts'

const STEP = LIMITS.organization.membersPerStep

export async function enqueueSpread(
  tx: Writer,
  { id, userId }: Pick<Activity, 'id' | 'userId'>,
  { event, isPushed }: ActivitySpread,
  now: Instant,
): Promise<void> {
  const key = JOB_KEYS.activitySpread(id, { event, isPushed })
  const payload = { userId, activityId: id, event, isPushed }
  await enqueueJob(tx, { kind: 'spread-activity', key, payload, runAt: now })
}

export async function spreadActivity(
  ctx: JobContext,
  { payload }: Job<'spread-activity'>,
): Promise<JobResult<'spread-activity'>> {
  const now = ctx.clock.now()
  const activity = openForServer(await findActivityOfAccount(ctx.db.read, payload.userId, payload.activityId))
  if (!activity || !isOfOrganization(activity)) return { done: true }
  const { userId: orgId, target } = activity
  const ids = await listReachedIdsAfter(ctx.db.read, orgId, target.ids, payload.after, STEP)
  const record = (tx: Writer) => tellStep(tx, payload, ids, now)
  const last = ids.at(-1)
  if (last === undefined || ids.length < STEP) return { done: true, record }
  return { again: now, payload: { ...payload, after: last }, record }
}

// The target may have changed since the members were listed.
async function tellStep(
  tx: Writer,
  { userId, activityId, event, isPushed }: Jobs['spread-activity'],
  userIds: readonly UserId[],
  now: Instant,
): Promise<void> {
  const activity = await findActivityByIdForUpdate(tx, userId, activityId)
  if (!activity || !isOfOrganization(activity)) return
  const audience = await audienceAmong(tx, activity, userIds, now)
  if (isPushed) {
    await enqueueActivityPushes(tx, activity, audience, now)
    await enqueueAppShows(tx, activity, await listShowingApps(tx, audience.recipients), now)
  }
  const news = sharedActivityEvent(activity, { type: event, at: now })
  await appendToFeeds(
    tx,
    audience.recipients.map((recipient) => ({ userId: recipient, event: news })),
  )
}
