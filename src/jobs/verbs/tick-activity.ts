// What happens to an activity by itself, at the moment it is due. All of it is written in the transaction that settles
// the job: it happens once, whichever node runs it and however often.
import type { Activity, ActivityId } from '../../domain/activities/activity.ts'
import { tick } from '../../domain/activities/clock.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { dropActivity } from '../../operations/activities/remove.ts'
import { rescheduleTick, saveActivity } from '../../operations/activities/save.ts'
import { findActivityByIdForUpdate } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Job } from '../../store/jobs.ts'
import type { Delivery, JobResult } from '../job.ts'

type Payload = { userId: UserId; activityId: ActivityId }

export async function tickActivity({ ctx }: Delivery, job: Job): Promise<JobResult> {
  const { userId, activityId } = job.payload as Payload
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      const activity = await findActivityByIdForUpdate(tx, userId, activityId)
      if (activity) await catchUp(tx, activity, now)
    },
  }
}

// After a long pause several moments may have passed: the warning and the end, or the end and the deletion.
async function catchUp(tx: Writer, activity: Activity, now: Instant): Promise<void> {
  const due = tick(activity, now)
  if (due.kind === 'delete') return dropActivity(tx, activity, now)
  if (due.kind === 'change') return catchUp(tx, await saveActivity(tx, activity, due.activity, { now }), now)
  // It came too early: what it was made for has moved.
  await rescheduleTick(tx, activity, now)
}
