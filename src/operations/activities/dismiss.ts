// Removes a deleted activity from one device. Its row is gone, so the payload of the job has what the push needs.
import { toUnixSeconds } from '../../domain/instant.ts'
import { nextPushAttemptAt } from '../../domain/push.ts'
import { deleteShownActivity } from '../../store/activities/shown-activities.ts'
import type { Job } from '../../store/jobs.ts'
import { deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/push-tokens.ts'
import type { JobContext } from '../context.ts'
import { deleteDeadTokens } from '../dead-tokens.ts'
import type { JobResult } from '../job-result.ts'

export async function dismissActivity(
  ctx: JobContext,
  { payload, attempt }: Job<'dismiss-activity'>,
): Promise<JobResult> {
  const { userId, activityId: id, deviceId, kind, slug, name, content, timestamp } = payload
  const address = await findPushToken(ctx.db.read, userId, deviceId, kind, kind === 'activity' ? slug : undefined)
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
      await deleteShownActivity(tx, { userId, deviceId, slug, activityId: id, run: 0, version: now })
      if (kind === 'activity') await deletePushTokenIfRegisteredBefore(tx, address, undefined)
    },
  }
}
