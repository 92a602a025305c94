// Takes a deleted activity off one device. Its row is gone, so the job has what there is to say.
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { ActivityContent } from '../../domain/activities/templates/content.ts'
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/device.ts'
import { toUnixSeconds } from '../../domain/instant.ts'
import { deleteScreen } from '../../store/activities/screens.ts'
import type { Job } from '../../store/jobs.ts'
import { deletePushTokenIfRegisteredBefore, findPushToken } from '../../store/push-tokens.ts'
import type { Delivery, JobResult } from '../job.ts'
import { forgetTheGone } from './delete-dead-tokens.ts'
import { nextTryAt } from './push-retries.ts'
import { sendActivity } from './send-activity.ts'

type Payload = {
  userId: UserId
  activityId: ActivityId
  deviceId: DeviceId
  kind: 'activity' | 'web_push'
  slug: string
  name: string
  content: ActivityContent
  // Later than every push before it.
  timestamp: number
}

export async function dismissActivity(delivery: Delivery, job: Job): Promise<JobResult> {
  const { ctx } = delivery
  const { userId, activityId: id, deviceId, kind, slug, name, content, timestamp } = job.payload as Payload
  const address = await findPushToken(ctx.db.read, userId, deviceId, kind, kind === 'activity' ? slug : undefined)
  if (!address) return { done: true }
  const now = ctx.clock.now()
  const last = { state: 'ended', stateAt: now, updatedAt: now, priority: 0, dismissalTtlSeconds: 0 } as const
  const activity = { id, slug, name, content, staleTtlSeconds: null, ...last }
  const push = { activity, event: 'end', timestamp: Math.max(timestamp, toUnixSeconds(now)) } as const
  const outcome = await sendActivity(delivery, address, push)
  const again = nextTryAt(outcome, job.attempt, ctx.clock.now())
  if (again !== undefined) return { again }
  return {
    done: true,
    record: async (tx) => {
      await forgetTheGone(tx, [{ address, outcome }], now)
      if (outcome.result !== 'accepted') return
      await deleteScreen(tx, { userId, deviceId, slug, activityId: id, run: 0, version: now })
      if (kind === 'activity') await deletePushTokenIfRegisteredBefore(tx, address, undefined)
    },
  }
}
