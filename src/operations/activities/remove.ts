// Removes an activity, and dismisses it on the devices that show it. The row is gone when the dismissals run, so each job
// carries what its push needs.

import type { Activity } from '../../domain/activities/activity.ts'
import { essentialContent } from '../../domain/activities/content.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Instant, toUnixSeconds } from '../../domain/instant.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { deleteActivity, stampNewestVersion } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { listPushTokens } from '../../store/push-tokens.ts'
import type { Context } from '../context.ts'
import { requireActivityForUpdate } from './find.ts'

export async function removeActivity(ctx: Context, caller: Caller, slug: string): Promise<void> {
  requireLevel(caller, 'activities', 'manage')
  requireSlug(caller, 'activities', slug)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => dropActivity(tx, await requireActivityForUpdate(tx, caller, slug), now))
}

export async function dropActivity(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  if (activity.state === 'ongoing') await enqueueDismissals(tx, activity, now)
  await deleteActivity(tx, activity.userId, activity.id)
  await appendEvent(tx, activity.userId, { type: 'activity.deleted', at: now, data: { slug: activity.slug } })
}

async function enqueueDismissals(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  const stamped = await stampNewestVersion(tx, activity.userId, activity.id, toUnixSeconds(now))
  const timestamp = (stamped?.timestamp ?? 0) + 1
  const { userId, id: activityId, slug, name } = activity
  const content = essentialContent(activity.content)
  const tokens = await listPushTokens(tx, userId, ['activity', 'web_push'])
  for (const token of tokens) {
    if (token.kind === 'activity' && token.activitySlug !== slug) continue
    const payload = { userId, activityId, slug, name, content, timestamp, deviceId: token.deviceId, kind: token.kind }
    await enqueueJob(tx, { kind: 'dismiss-activity', payload, runAt: now })
  }
}
