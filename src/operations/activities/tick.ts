// Applies the changes of an activity that the clock makes: warning, end, staleness, deletion. They are written in the
// transaction that settles the job, so each happens once even if the job runs twice.
import type { Activity } from '../../domain/activities/activity.ts'
import { tick } from '../../domain/activities/clock.ts'
import type { Instant } from '../../domain/instant.ts'
import { findActivityByIdForUpdate } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import type { Job } from '../../store/jobs.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { dropActivity } from './remove.ts'
import { rescheduleTick, saveActivity } from './save.ts'

export async function tickActivity(ctx: JobContext, { payload }: Job<'tick-activity'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return {
    done: true,
    record: async (tx) => {
      const activity = await findActivityByIdForUpdate(tx, payload.userId, payload.activityId)
      if (activity) await appendToFeeds(tx, await applyDueChanges(tx, activity, now))
    },
  }
}

// After a downtime several changes may be due: the warning and the end, or the end and the deletion.
async function applyDueChanges(tx: Writer, activity: Activity, now: Instant): Promise<FeedEntry[]> {
  const news: FeedEntry[] = []
  let current = activity
  for (let due = tick(current, now); due.kind !== 'nothing'; due = tick(current, now)) {
    if (due.kind === 'delete') return [...news, ...(await dropActivity(tx, current, now))]
    current = (await saveActivity(tx, current, due.activity, { now, news })).activity
  }
  // Nothing is due (any more): enqueue the job for the next change.
  await rescheduleTick(tx, current, now)
  return news
}
