// Dismisses an activity on one device, because it was deleted. Its row is gone when the job runs, so the payload has what
// the push needs.
import type { Activity } from '../../domain/activities/activity.ts'
import { essentialContent } from '../../domain/activities/content.ts'
import { type Instant, toUnixSeconds } from '../../domain/instant.ts'
import { nextPushAttemptAt } from '../../domain/push.ts'
import { stampNewestVersion } from '../../store/activities/activities.ts'
import type { AudienceAddress } from '../../store/activities/audience.ts'
import { deleteShownActivity } from '../../store/activities/shown-activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/push-tokens.ts'
import type { JobContext } from '../context.ts'
import { deleteDeadTokens } from '../dead-tokens.ts'
import type { JobResult } from '../job-result.ts'

export async function enqueueDismissals(
  tx: Writer,
  activity: Activity,
  addresses: readonly AudienceAddress[],
  now: Instant,
): Promise<void> {
  const stamped = await stampNewestVersion(tx, activity.userId, activity.id, toUnixSeconds(now))
  const timestamp = (stamped?.timestamp ?? 0) + 1
  const { id: activityId, slug, name } = activity
  const content = essentialContent(activity.content)
  for (const { userId, deviceId, kind } of addresses) {
    // A token to start activities cannot end one.
    if (kind === 'push_to_start') continue
    const payload = { userId, activityId, slug, name, content, timestamp, deviceId, kind }
    await enqueueJob(tx, { kind: 'dismiss-activity', payload, runAt: now })
  }
}

export async function dismissActivity(
  ctx: JobContext,
  { payload, attempt }: Job<'dismiss-activity'>,
): Promise<JobResult> {
  const { userId, activityId: id, deviceId, kind, slug, name, content, timestamp } = payload
  const address = await findPushToken(ctx.db.read, userId, deviceId, kind, kind === 'activity' ? id : undefined)
  if (!address) return { done: true }
  const now = ctx.clock.now()
  const last = { state: 'ended', stateAt: now, updatedAt: now, priority: 0, dismissalTtlSeconds: 0 } as const
  const result = await ctx.pushTo(address, {
    kind: 'activity',
    activity: { id, slug, name, content, staleTtlSeconds: null, ...last },
    event: 'end',
    timestamp: Math.max(timestamp, toUnixSeconds(now)),
  })
  const again = nextPushAttemptAt(result, attempt, ctx.clock.now())
  if (again !== undefined) return { again }
  return {
    done: true,
    record: async (tx) => {
      await deleteDeadTokens(tx, [{ address, result }], now)
      if (result.result !== 'accepted') return
      await deleteShownActivity(tx, { userId, deviceId, activityId: id }, now)
      if (kind === 'activity') await deletePushTokenIfRegisteredBefore(tx, address, undefined)
    },
  }
}
