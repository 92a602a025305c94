// Deletes an activity. Devices that show it are told to take it away; since its row is gone by then, the job has all
// that the last push needs.
import type { Activity } from '../../domain/activities/activity.ts'
import { essentialContent } from '../../domain/activities/content.ts'
import { type Instant, toUnixSeconds } from '../../domain/instant.ts'
import { deleteActivity, stampForPush } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { listPushTokens } from '../../store/push-tokens.ts'

export async function dropActivity(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  if (activity.state === 'ongoing') await enqueueDismissals(tx, activity, now)
  await deleteActivity(tx, activity.userId, activity.id)
  await appendEvent(tx, activity.userId, { type: 'activity.deleted', at: now, data: { slug: activity.slug } })
}

async function enqueueDismissals(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  const stamped = await stampForPush(tx, activity.userId, activity.id, toUnixSeconds(now))
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
