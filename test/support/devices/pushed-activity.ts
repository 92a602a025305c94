// Example activities, and their push payloads parsed back.

import { type Activity, type ActivityId, newActivity } from '../../../src/domain/activities/activity.ts'
import type { UserId } from '../../../src/domain/caller.ts'
import { fromRfc3339 } from '../../../src/domain/instant.ts'
import type { ActivityPush } from '../../../src/domain/push.ts'
import { apnsActivity, webPushActivity } from '../../../src/push/payload/activity.ts'

export const STARTED = fromRfc3339('2026-11-15T08:00:00Z')
export const STARTED_SECONDS = STARTED / 1000

export const activity = (members: Partial<Activity> = {}): Activity => ({
  ...newActivity(
    {
      id: '6dabbfa9-2b0d-4208-9cd5-10f335c022fa' as ActivityId,
      userId: 'u' as UserId,
      slug: 'build',
      name: 'Build 4711',
      content: { template: 'steps', total_steps: 4, current_step: 1, state: 'Lint', progress: 0.25 },
    },
    STARTED,
  ),
  state: 'ongoing',
  startCount: 1,
  ...members,
})

export const push = (members: Partial<Activity> = {}, rest: Partial<ActivityPush> = {}): ActivityPush => ({
  activity: activity(members),
  event: 'update',
  timestamp: STARTED_SECONDS,
  ...rest,
})

export const aps = (members?: Partial<Activity>, rest?: Partial<ActivityPush>) =>
  JSON.parse(apnsActivity(push(members, rest))).aps
export const message = (members?: Partial<Activity>, rest?: Partial<ActivityPush>) =>
  JSON.parse(webPushActivity(push(members, rest)))
